import { labels, ResourceOwner } from '@klutch/api';
import type { Selection } from '@klutch/kube';
import type { Rule } from './rule.ts';

/** Copies of the provider's objects in the app cluster, and no other object. */
export const providerCopies: Selection = { labelSelector: `${labels.claimedFrom}=${ResourceOwner.Provider}` };

/**
 * What has to be watched in a namespace of the app cluster to find the user's objects that are claimed, as little as
 * the claims allow. Copies of the provider's objects are watched elsewhere.
 */
export function watchesFor(rules: readonly Rule[], namespace: string): readonly Selection[] {
  const concerned = rules.filter(({ owner, selector }) => {
    return owner !== ResourceOwner.Provider && (selector.namespaces?.has(namespace) ?? true);
  });
  const selections = new Map<string, Selection>();
  for (const rule of concerned) {
    for (const selection of selectionsOf(rule, namespace)) selections.set(JSON.stringify(selection), selection);
  }
  const isNarrow = selections.size <= maxWatches && !selections.has(JSON.stringify({ namespace }));
  if (isNarrow) return [...selections.values()];
  return [{ namespace }];
}

/** Beyond this, one watch of everything costs less. */
const maxWatches = 4;

function selectionsOf({ selector }: Rule, namespace: string): readonly Selection[] {
  const names = selector.names === undefined ? [undefined] : [...selector.names];
  const entries = selector.labels ?? [undefined];
  return names.flatMap((name) =>
    entries.map((entry) => {
      const labelSelector = Object.entries(entry ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .join(',');
      return {
        namespace,
        ...(labelSelector === '' ? {} : { labelSelector }),
        ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
      };
    }),
  );
}
