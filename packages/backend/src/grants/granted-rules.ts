import type { APIServiceExport, PermissionClaim } from '@klutch/api';
import type { Rule } from '../objects/rbac.ts';

/** The part of an export from which rights follow. */
export type Grounds = Pick<APIServiceExport['spec'], 'group' | 'names' | 'permissionClaims'>;

/**
 * What an app cluster may do with the objects of its exports and claims: one rule for each resource type, in an order that
 * depends on the types alone. Objects of the provider can be changed, since konnectors mark them as such, but neither
 * created nor deleted. Names and labels that a claim selects by do not narrow the rules: konnectors list whole types,
 * which a role that names objects would forbid.
 */
export function grantedRules(exports: readonly Grounds[]): readonly Rule[] {
  const granted = new Map<string, { readonly group: string; readonly resource: string; readonly verbs: Set<Verb> }>();
  const grant = (group: string, resource: string, verbs: readonly Verb[]) => {
    if (!isPlainName(resource) || (group !== '' && !isPlainName(group))) return;
    const key = `${group}/${resource}`;
    const entry = granted.get(key) ?? { group, resource, verbs: new Set<Verb>() };
    for (const verb of verbs) entry.verbs.add(verb);
    granted.set(key, entry);
  };
  for (const { group, names, permissionClaims = [] } of exports) {
    grant(group, names.plural, everyVerb);
    for (const claim of permissionClaims) grant(claim.group ?? '', claim.resource, verbsOf(claim));
  }
  return [...granted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { group, resource, verbs }]) => ({
      apiGroups: [group],
      resources: [resource],
      verbs: everyVerb.filter((verb) => verbs.has(verb)),
    }));
}

type Verb = (typeof everyVerb)[number];

const everyVerb = ['get', 'list', 'watch', 'update', 'patch', 'delete', 'create'] as const;
const providerVerbs = ['get', 'list', 'watch', 'update', 'patch'] as const;

function verbsOf({ selector }: PermissionClaim): readonly Verb[] {
  return selector?.owner === 'Provider' ? providerVerbs : everyVerb;
}

/** Not everything that calls itself a resource is one: no wildcard and no subresource may become a right. */
function isPlainName(text: string): boolean {
  return /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(text);
}
