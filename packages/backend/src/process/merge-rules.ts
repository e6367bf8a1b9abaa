import type { Rule } from '../objects/rbac.ts';

/** The same rights in as few rules as groups, verbs and names allow, in an order that depends on the rights alone. */
export function mergeRules(rules: readonly Rule[]): readonly Rule[] {
  const verbsOf = new Map<string, Set<string>>();
  for (const { apiGroups, resources, verbs, resourceNames = [] } of rules) {
    const names = [...resourceNames].sort().join();
    for (const key of apiGroups.flatMap((group) => resources.map((resource) => `${group}|${resource}|${names}`))) {
      verbsOf.set(key, new Set([...(verbsOf.get(key) ?? []), ...verbs]));
    }
  }
  const merged = new Map<string, Rule & { readonly resources: string[] }>();
  for (const [key, verbs] of [...verbsOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [group = '', resource = '', names = ''] = key.split('|');
    const sorted = [...verbs].sort(byHabit);
    const together = `${group}|${names}|${sorted.join()}`;
    const resourceNames = names === '' ? {} : { resourceNames: names.split(',') };
    const entry = merged.get(together) ?? { apiGroups: [group], resources: [], verbs: sorted, ...resourceNames };
    entry.resources.push(resource);
    merged.set(together, entry);
  }
  return [...merged.values()];
}

const habit = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

function byHabit(a: string, b: string): number {
  return habit.indexOf(a) - habit.indexOf(b);
}
