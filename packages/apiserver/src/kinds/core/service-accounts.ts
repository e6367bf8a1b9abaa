import type { ApiObject } from '../../objects/api-object.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { localObjectReference, objectReference } from '../meta/references.ts';
import { bool, keyed, list, ptr, struct } from '../types/fields.ts';

const serviceAccount = struct('ServiceAccount', 'A user for programs.', {
  secrets: keyed('name', objectReference, 'Secrets its pods may use.'),
  imagePullSecrets: list(localObjectReference, 'Secrets for pulling images.'),
  automountServiceAccountToken: ptr(bool('Whether pods get a token.')),
});

interface ServiceAccount extends ApiObject {
  secrets?: { name?: string }[];
}

/** Of the secrets only their names count. */
function keepNames(object: ApiObject): void {
  const { secrets } = object as ServiceAccount;
  if (secrets) object.secrets = secrets.map(({ name }) => (name ? { name } : {}));
}

export const serviceAccounts = defineKind({
  group: '',
  type: serviceAccount,
  resource: 'serviceaccounts',
  shortNames: ['sa'],
  otherSubresources: [
    { name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
  ],
  columns: [nameColumn, ageColumn],
  strategy: { prepareCreate: keepNames, prepareUpdate: keepNames, returnsDeleted: true },
});
