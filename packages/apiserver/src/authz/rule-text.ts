import { quotedList } from './quoted-list.ts';
import type { PolicyRule } from './rbac-objects.ts';

/** Pieces of rules as lines for people: pieces that differ in their verb only become one line. Sorted. */
export function ruleLines(pieces: readonly PolicyRule[]): string[] {
  return [...new Set(joinVerbs(pieces).map(ruleText))].sort();
}

function joinVerbs(pieces: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  const others: PolicyRule[] = [];
  for (const piece of pieces) {
    if (piece.nonResourceURLs !== undefined) {
      others.push(piece);
      continue;
    }
    const { verbs = [], ...rest } = piece;
    const key = JSON.stringify(rest);
    joined.set(key, { ...rest, verbs: [...(joined.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...others, ...joined.values()];
}

function ruleText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = [
    listed('APIGroups', apiGroups),
    listed('Resources', resources),
    listed('NonResourceURLs', nonResourceURLs),
    listed('ResourceNames', resourceNames),
    listed('Verbs', verbs),
  ];
  return `{${parts.filter((part) => part !== '').join(', ')}}`;
}

function listed(label: string, values: readonly string[] = []): string {
  return values.length === 0 ? '' : `${label}:${quotedList(values)}`;
}
