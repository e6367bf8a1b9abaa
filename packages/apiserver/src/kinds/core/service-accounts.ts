import type { ApiObject } from '../../objects/api-object.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';

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
  resource: 'serviceaccounts',
  columns: [nameColumn, ageColumn],
  strategy: { prepareCreate: keepNames, prepareUpdate: keepNames, returnsDeleted: true },
});
