import { annotations, apiName, controlPlane, group, labels, type OfferedApi } from '@klutch/api';
import {
  type AdmissionPolicy,
  type AdmissionPolicyBinding,
  enforced,
  type MatchedResources,
  type Validation,
} from './admission-policy.ts';
import { all, any, entryOf, fieldOr, text } from './cel.ts';
import { credentialTypes } from './credential-types.ts';

export interface TenantPolicyGrounds {
  /** Name of the policy. */
  readonly name: string;
  /** Namespace of the backend, by which namespaces are marked. */
  readonly namespace: string;
  /** What templates offer. */
  readonly offers: readonly OfferedApi[];
}

/**
 * What roles cannot say about objects of claimed types: an app cluster makes, changes and deletes its own only. Of those of
 * the provider it changes nothing but Klutch's marks, which konnectors set. No Secret gets it a token.
 */
export function tenantPolicy({
  name,
  namespace,
  offers,
}: TenantPolicyGrounds): readonly [AdmissionPolicy, AdmissionPolicyBinding] {
  const binder = `:${controlPlane.binder}`;
  return enforced(name, {
    matchConstraints: {
      namespaceSelector: { matchLabels: { [labels.backend]: namespace } },
      resourceRules: claimedTypes(offers),
    },
    matchConditions: [
      {
        name: 'is-an-app-cluster',
        expression: `request.userInfo.username.startsWith("system:serviceaccount:") && request.userInfo.username.endsWith(${text(binder)})`,
      },
    ],
    variables: [
      { name: 'owner', expression: entryOf('object', 'annotations', annotations.resourceOwner) },
      { name: 'oldOwner', expression: entryOf('oldObject', 'annotations', annotations.resourceOwner) },
    ],
    validations: [creation, ownership, content, metadata, deletion, credentials],
  });
}

/**
 * Types of which objects belong to either side: those that are claimed, and Secrets in any case. A type that is exported,
 * too, is left out, since all objects of it are the app cluster's own.
 */
export function claimedTypes(offers: readonly OfferedApi[]): readonly MatchedResources[] {
  const exported = new Set(offers.map(apiName));
  const claimed = offers.flatMap(({ permissionClaims }) => permissionClaims);
  const names = new Map<string, Set<string>>([['', new Set(['secrets'])]]);
  for (const { group: apiGroup = '', resource, ...claim } of claimed) {
    if (exported.has(apiName({ ...claim, group: apiGroup, resource }))) continue;
    names.set(apiGroup, (names.get(apiGroup) ?? new Set()).add(resource));
  }
  return [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([apiGroup, resources]) => ({
      apiGroups: [apiGroup],
      apiVersions: ['*'],
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      resources: [...resources].sort(),
    }));
}

const owner = annotations.resourceOwner;

const creation: Validation = {
  expression: any('request.operation != "CREATE"', 'variables.owner == "Consumer"'),
  message: `An app cluster may create only objects that say they are its own, by the annotation ${owner}=Consumer.`,
  reason: 'Forbidden',
};

const ownership: Validation = {
  expression: any(
    'request.operation != "UPDATE"',
    '(variables.owner == "Consumer") == (variables.oldOwner == "Consumer")',
  ),
  message: `The owner of an object cannot be changed, so neither can its annotation ${owner} from or to Consumer.`,
  reason: 'Forbidden',
};

const isOwnUpdate = any('request.operation != "UPDATE"', 'variables.oldOwner == "Consumer"');

const content: Validation = {
  expression: any(
    isOwnUpdate,
    all(
      'object.all(field, field == "metadata" || (field in oldObject && object[field] == oldObject[field]))',
      'oldObject.all(field, field in object)',
    ),
  ),
  message: 'The object belongs to the provider, so an app cluster cannot change its content.',
  reason: 'Forbidden',
};

const metadata: Validation = {
  expression: any(
    isOwnUpdate,
    all(
      ...(['labels', 'annotations'] as const).flatMap((part) => [
        sameEntries('object', 'oldObject', part),
        sameEntries('oldObject', 'object', part),
      ]),
      ...(['finalizers', 'ownerReferences'] as const).map(
        (field) => `${fieldOr('object.metadata', field, '[]')} == ${fieldOr('oldObject.metadata', field, '[]')}`,
      ),
    ),
  ),
  message: `The object belongs to the provider, so an app cluster can change only labels and annotations that begin with ${group}/.`,
  reason: 'Forbidden',
};

const deletion: Validation = {
  expression: any('request.operation != "DELETE"', 'variables.oldOwner == "Consumer"'),
  message: 'The object belongs to the provider, so an app cluster cannot delete it.',
  reason: 'Forbidden',
};

const credentials: Validation = {
  expression: any(
    'request.resource.group != "" || request.resource.resource != "secrets"',
    'request.operation == "DELETE"',
    all(
      `!has(object.type) || !(object.type in [${credentialTypes.map(text).join(', ')}])`,
      `${entryOf('object', 'annotations', 'kubernetes.io/service-account.name')} == ""`,
    ),
  ),
  message: 'An app cluster cannot make Secrets in which Kubernetes puts tokens.',
  reason: 'Forbidden',
};

/** Every entry of the one that is not a mark of Klutch is the same in the other. */
function sameEntries(one: string, other: string, part: 'labels' | 'annotations'): string {
  const [mine, theirs] = [fieldOr(`${one}.metadata`, part, '{}'), fieldOr(`${other}.metadata`, part, '{}')];
  return `${mine}.all(key, key.startsWith(${text(`${group}/`)}) || (key in ${theirs} && ${theirs}[key] == ${mine}[key]))`;
}
