import { pathSegmentProblems } from '../authz/index.ts';
import { selectorCauses } from '../authz/label-selector-causes.ts';
import { duplicate, invalid, notSupported, required } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { MatchResources, ResourceRule } from './policy-objects.ts';

/** What is wrong with a description of requests. */
export function matchCauses(match: MatchResources | undefined, field: string): readonly FieldCause[] {
  if (!match) return [];
  const { matchPolicy = '', namespaceSelector = {}, objectSelector = {} } = match;
  const rules = (name: 'resourceRules' | 'excludeResourceRules') =>
    (match[name] ?? []).flatMap((rule, at) => ruleCauses(rule, index(child(field, name), at)));
  return [
    ...supportedCauses(child(field, 'matchPolicy'), matchPolicy, ['Equivalent', 'Exact']),
    ...selectorCauses(namespaceSelector, child(field, 'namespaceSelector')),
    ...selectorCauses(objectSelector, child(field, 'objectSelector')),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

/** Refuses words that are not in the list. */
export function supportedCauses(field: string, value: string, supported: readonly string[]): readonly FieldCause[] {
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

const operationNames = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

function ruleCauses(rule: ResourceRule, field: string): readonly FieldCause[] {
  const { resourceNames = [], operations = [], apiVersions = [], scope = '*' } = rule;
  const versions = child(field, 'apiVersions');
  return [
    ...resourceNames.flatMap((name, at) =>
      nameCauses(name, resourceNames.slice(0, at), index(child(field, 'resourceNames'), at)),
    ),
    ...wildcardCauses(rule, 'operations', 'operations', field),
    ...operations.flatMap((operation, at) =>
      supportedCauses(index(child(field, 'operations'), at), operation, operationNames),
    ),
    ...wildcardCauses(rule, 'apiGroups', 'API groups', field),
    ...wildcardCauses(rule, 'apiVersions', 'API versions', field),
    ...apiVersions.flatMap((version, at) => (version === '' ? [required(index(versions, at))] : [])),
    ...resourceCauses(rule.resources ?? [], child(field, 'resources')),
    ...supportedCauses(child(field, 'scope'), scope, ['*', 'Cluster', 'Namespaced']),
  ];
}

function nameCauses(name: string, before: readonly string[], field: string): readonly FieldCause[] {
  const wrong = pathSegmentProblems(name).map((problem) => invalid(field, name, problem));
  return before.includes(name) ? [...wrong, duplicate(field, name)] : wrong;
}

function wildcardCauses(
  rule: ResourceRule,
  list: 'operations' | 'apiGroups' | 'apiVersions',
  named: string,
  field: string,
): readonly FieldCause[] {
  const values = rule[list] ?? [];
  if (values.length === 0) return [required(child(field, list))];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(child(field, list), values, `if '*' is present, must not specify other ${named}`)];
}

/** Refuses names that others in the list include already. */
function resourceCauses(resources: readonly string[], field: string): readonly FieldCause[] {
  if (resources.length === 0) return [required(field)];
  const causes: FieldCause[] = [];
  const allSubresourcesOf = new Set<string>();
  const allResourcesWith = new Set<string>();
  let isLastPlainNamed = false;
  for (const [at, named] of resources.entries()) {
    const place = index(field, at);
    if (named === '') {
      causes.push(required(place));
      continue;
    }
    const end = named.indexOf('/');
    if (end === -1) {
      // Kubernetes looks at the last one only.
      isLastPlainNamed = named !== '*';
      continue;
    }
    const [resource, sub] = [named.slice(0, end), named.slice(end + 1)];
    if (allSubresourcesOf.has(resource))
      causes.push(invalid(place, named, `if '${resource}/*' is present, must not specify ${named}`));
    if (allResourcesWith.has(sub))
      causes.push(invalid(place, named, `if '*/${sub}' is present, must not specify ${named}`));
    if (sub === '*') allSubresourcesOf.add(resource);
    if (resource === '*') allResourcesWith.add(sub);
  }
  if (resources.length > 1 && resources.includes('*/*'))
    causes.push(invalid(field, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && isLastPlainNamed)
    causes.push(invalid(field, resources, "if '*' is present, must not specify other resources without subresources"));
  return causes;
}
