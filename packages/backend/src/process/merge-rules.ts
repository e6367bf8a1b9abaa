import type { Rule } from '../objects/rbac.ts';

/** The same rights in as few rules as groups and verbs allow, in an order that depends on the rights alone. */
export function mergeRules(rules: readonly Rule[]): readonly Rule[] {
  const verbsOf = new Map<string, Set<string>>();
  for (const { apiGroups, resources, verbs } of rules) {
    for (const key of apiGroups.flatMap((group) => resources.map((resource) => `${group}|${resource}`))) {
      verbsOf.set(key, new Set([...(verbsOf.get(key) ?? []), ...verbs]));
    }
  }
  const merged = new Map<string, { readonly group: string; readonly resources: string[]; readonly verbs: string[] }>();
  for (const [key, verbs] of [...verbsOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [group = '', resource = ''] = key.split('|');
    const sorted = [...verbs].sort(byHabit);
    const together = `${group}|${sorted.join()}`;
    const entry = merged.get(together) ?? { group, resources: [], verbs: sorted };
    entry.resources.push(resource);
    merged.set(together, entry);
  }
  return [...merged.values()].map(({ group, resources, verbs }) => ({ apiGroups: [group], resources, verbs }));
}

const habit = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

function byHabit(a: string, b: string): number {
  return habit.indexOf(a) - habit.indexOf(b);
}
