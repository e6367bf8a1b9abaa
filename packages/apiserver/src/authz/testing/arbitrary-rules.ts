import * as fc from 'fast-check';

import type { Attributes } from '../attributes.ts';
import type { PolicyRule } from '../rbac-objects.ts';

/** Few words, so that rules and requests meet often. */
const VERBS = ['get', 'list', 'create'];
const GROUPS = ['', 'apps'];
const RESOURCES = ['pods', 'deployments'];
const SUBRESOURCES = ['status', 'scale'];
const NAMES = ['a', 'b'];
const PATHS = ['/', '/a', '/a/', '/a/b', '/b'];

const some = (values: readonly string[], minLength = 0) => fc.subarray([...values], { minLength });
const combined = RESOURCES.flatMap((resource) => SUBRESOURCES.map((subresource) => `${resource}/${subresource}`));

/** Rules about resources, about paths, and some that validation would refuse. */
export function anyRule(): fc.Arbitrary<PolicyRule> {
  const resourceRule = fc.record({
    verbs: some([...VERBS, '*']),
    apiGroups: some([...GROUPS, '*']),
    resources: some([...RESOURCES, ...combined, '*', '*/status', '*/scale']),
    resourceNames: some(NAMES),
  });
  const pathRule = fc.record({
    verbs: some([...VERBS, '*']),
    nonResourceURLs: some([...PATHS, '*', '/*', '/a*', '/a/*', '/a/**']),
  });
  return fc.oneof(resourceRule, pathRule);
}

/** Requests about resources and about paths. */
export function anyAttributes(): fc.Arbitrary<Attributes> {
  const user = { name: 'ann', groups: [] };
  const onResource = fc.record({
    user: fc.constant(user),
    verb: fc.constantFrom(...VERBS),
    group: fc.constantFrom(...GROUPS),
    resource: fc.constantFrom(...RESOURCES),
    subresource: fc.constantFrom('', ...SUBRESOURCES),
    name: fc.constantFrom('', ...NAMES),
  });
  const onPath = fc.record({
    user: fc.constant(user),
    verb: fc.constantFrom(...VERBS),
    path: fc.constantFrom(...PATHS),
  });
  return fc.oneof(onResource, onPath);
}
