import type { PolicyRule } from './rbac-objects.ts';

/**
 * The part of the wanted rules that the owned rules do not permit, in pieces of one verb on one resource, name or path.
 * Empty: whoever owns the rules may hand out the wanted ones.
 */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((piece) => !owned.some((rule) => covers(rule, piece)));
}

function breakDown({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): PolicyRule[] {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const aboutResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => names.map((name) => resourcePiece(group, resource, verb, name))),
    ),
  );
  const aboutPaths = nonResourceURLs.flatMap((path) =>
    verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })),
  );
  return [...aboutResources, ...aboutPaths];
}

function resourcePiece(group: string, resource: string, verb: string, name: string | undefined): PolicyRule {
  const piece = { apiGroups: [group], resources: [resource], verbs: [verb] };
  return name === undefined ? piece : { ...piece, resourceNames: [name] };
}

function covers(owner: PolicyRule, piece: PolicyRule): boolean {
  return (
    hasAll(owner.verbs, piece.verbs) &&
    hasAll(owner.apiGroups, piece.apiGroups) &&
    (piece.resources ?? []).every((resource) => coversResource(owner.resources ?? [], resource)) &&
    coversNames(owner.resourceNames ?? [], piece.resourceNames ?? []) &&
    (piece.nonResourceURLs ?? []).every((path) =>
      (owner.nonResourceURLs ?? []).some((owned) => coversPath(owned, path)),
    )
  );
}

function hasAll(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return owned.includes('*') || wanted.every((value) => owned.includes(value));
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

function coversNames(owned: readonly string[], wanted: readonly string[]): boolean {
  if (owned.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => owned.includes(name));
}

function coversPath(owned: string, path: string): boolean {
  return owned === path || (owned.endsWith('*') && path.startsWith(owned.replace(/\*+$/, '')));
}
