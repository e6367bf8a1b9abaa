import { labelSelector } from '../meta/label-selector.ts';
import { atomicStruct, inlined, list, named, ptr, text } from '../types/fields.ts';

const namedRule = atomicStruct('NamedRuleWithOperations', 'Operations on resources.', {
  resourceNames: list(text(), 'Names of objects; all if absent.'),
  ...inlined('RuleWithOperations', {
    operations: list(named('OperationType'), 'CREATE, UPDATE, DELETE, CONNECT, or * for all.'),
  }),
  ...inlined('Rule', {
    apiGroups: list(text(), 'API groups; "" for core, * for all.'),
    apiVersions: list(text(), 'Versions; * for all.'),
    resources: list(text(), 'Resources and resource/subresource; * for all resources, */* for subresources, too.'),
    scope: ptr(named('ScopeType', 'Cluster, Namespaced, or * for both.')),
  }),
});

/** Which requests a policy or a binding is about. */
export const matchResources = atomicStruct('MatchResources', 'Which requests are meant.', {
  namespaceSelector: ptr(labelSelector, 'Namespaces of the objects, by labels.'),
  objectSelector: ptr(labelSelector, 'Objects, by labels.'),
  resourceRules: list(namedRule, 'Operations that are meant; one of the rules must match.'),
  excludeResourceRules: list(namedRule, 'Operations that are not meant, whatever the other rules say.'),
  matchPolicy: ptr(named('MatchPolicyType', 'Exact, or Equivalent to mean other versions of the resources, too.')),
});
