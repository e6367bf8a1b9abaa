import { annotations } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { actors, type Audit } from '../audit/audit.ts';
import type { Rule } from '../objects/rbac.ts';

/** Records which rights an app cluster has gained and which it has lost since its role had the rules before. */
export function recordGrants(
  audit: Audit,
  { metadata: { name: clusterNamespace, annotations: marks } }: Namespace,
  { before, after }: { readonly before: readonly Rule[]; readonly after: readonly Rule[] },
): void {
  const entry = {
    who: actors.backend,
    tenant: marks?.[annotations.tenantName],
    clusterNamespace,
    result: 'success',
  } as const;
  const [granted, withdrawn] = [rightsBeyond(after, before), rightsBeyond(before, after)];
  if (granted.length > 0) audit.record({ ...entry, action: 'Grant', what: granted });
  if (withdrawn.length > 0) audit.record({ ...entry, action: 'Withdraw', what: withdrawn });
}

/** What the first rules allow and the others do not, as `<resource>.<group>: <verbs>`. */
function rightsBeyond(rules: readonly Rule[], others: readonly Rule[]): readonly string[] {
  const known = verbsByResource(others);
  return [...verbsByResource(rules)].flatMap(([resource, verbs]) => {
    const more = [...verbs].filter((verb) => !known.get(resource)?.has(verb));
    return more.length > 0 ? [`${resource}: ${more.join(' ')}`] : [];
  });
}

function verbsByResource(rules: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const { apiGroups, resources, verbs } of rules) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        const name = group === '' ? resource : `${resource}.${group}`;
        all.set(name, new Set([...(all.get(name) ?? []), ...verbs]));
      }
    }
  }
  return all;
}
