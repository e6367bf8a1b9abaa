import { accepted, creating, enumRows, refused, requiredRows, type Row, updating } from '../row.ts';

const path = 'spec.kubeconfigSecretRef';

/** What holds for a reference within one namespace. */
export const localSecretKeyRefRows: readonly Row[] = [
  ...requiredRows('spec', ['kubeconfigSecretRef']),
  ...requiredRows(path, ['name', 'key']),
  creating('refuses an empty Secret name', { [`${path}.name`]: '' }, refused(`${path}.name`, 'at least 1')),
  ...enumRows(`${path}.key`, ['kubeconfig']),
  updating('keeps the Secret', {}, { [`${path}.name`]: 'other' }, refused(path, 'immutable')),
  updating('accepts an update that keeps the Secret', {}, { 'metadata.labels': { a: 'b' } }, accepted),
];

/** What holds for a reference to any namespace. */
export const clusterSecretKeyRefRows: readonly Row[] = [
  ...localSecretKeyRefRows,
  ...requiredRows(path, ['namespace']),
  creating('refuses an empty namespace', { [`${path}.namespace`]: '' }, refused(`${path}.namespace`, 'at least 1')),
  updating('keeps the namespace', {}, { [`${path}.namespace`]: 'other' }, refused(path, 'immutable')),
];
