import type { MetadataRules } from './metadata-rules.ts';

/** Labels or annotations by key. */
export type KeyedTexts = Readonly<Record<string, string>>;

/** Pure: the labels and annotations that go over to the other side. */
export function travellingMetadata(
  metadata: { readonly labels?: KeyedTexts; readonly annotations?: KeyedTexts },
  rules: MetadataRules,
): { readonly labels: KeyedTexts; readonly annotations: KeyedTexts } {
  return {
    labels: pick(metadata.labels, rules.labels),
    annotations: pick(metadata.annotations, rules.annotations),
  };
}

function pick(texts: KeyedTexts | undefined, patterns: readonly string[]): KeyedTexts {
  if (texts === undefined) return {};
  const entries = Object.entries(texts);
  return Object.fromEntries(entries.filter(([key]) => !staysAtHome(key) && patterns.some((one) => matches(one, key))));
}

/** Domains whose keys steer software of one cluster and would mislead that of another. */
const homeDomains = ['klutch.anynines.com', 'bind.anynines.com', 'kubernetes.io', 'k8s.io', 'crossplane.io'];

function staysAtHome(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return false;
  const domain = key.slice(0, slash);
  return homeDomains.some((home) => domain === home || domain.endsWith(`.${home}`));
}

/** Whether the key fits a pattern in which `*` stands for any text. */
function matches(pattern: string, key: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!key.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (index === rest.length - 1) return key.length - part.length >= at && key.endsWith(part);
    const found = key.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at === key.length;
}
