import type { ApiObject } from '../../objects/api-object.ts';
import { invalid } from '../../schema/fields/field-error.ts';
import { key as keyPath } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { keyCauses, sizeCauses } from './config-keys.ts';
import { immutableCauses } from './immutable-data.ts';

interface ConfigMap extends ApiObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

function causes({ data = {}, binaryData = {} }: ConfigMap): readonly FieldCause[] {
  const twice = Object.keys(data).filter((key) => Object.hasOwn(binaryData, key));
  const size =
    Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0) +
    Object.values(binaryData).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0);
  return [
    ...keyCauses(data, 'data'),
    ...twice.map((key) => invalid(keyPath('data', key), key, 'duplicate of key present in binaryData')),
    ...keyCauses(binaryData, 'binaryData'),
    ...sizeCauses(size, '[]'),
  ];
}

export const configMaps = defineKind({
  group: '',
  resource: 'configmaps',
  columns: [
    nameColumn,
    column(
      'Data',
      'How many entries there are.',
      ({ data = {}, binaryData = {} }: ConfigMap) => Object.keys(data).length + Object.keys(binaryData).length,
    ),
    ageColumn,
  ],
  strategy: {
    validateCreate: (object) => causes(object),
    validateUpdate: (object, old) => [...immutableCauses(object, old, ['data', 'binaryData']), ...causes(object)],
  },
});
