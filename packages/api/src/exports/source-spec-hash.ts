import { sha224Base62 } from '../encoding/digest.ts';
import { encodeList, encodeStruct, type GoField } from '../encoding/go-json.ts';
import type { ExportedApi } from './from-crd.ts';
import { encodeSchema } from './schema-encoding.ts';

/**
 * Digest of an API, kept in the annotation `klutch.anynines.com/source-spec-hash` of its export. It equals that of the
 * Go backend, so that neither backend rewrites the exports of the other. The one known exception: numbers within
 * `default`, `enum` and `example` that JavaScript writes differently, such as `1.0`.
 */
export function sourceSpecHash(api: ExportedApi): string {
  return sha224Base62(encodeStruct(apiFields, api));
}

const names: readonly GoField[] = [
  { name: 'plural', whenMissing: '' },
  { name: 'singular', omit: 'zero' },
  { name: 'shortNames', omit: 'zero' },
  { name: 'kind', whenMissing: '' },
  { name: 'listKind', omit: 'zero' },
  { name: 'categories', omit: 'zero' },
];

const scale: readonly GoField[] = [
  { name: 'specReplicasPath', whenMissing: '' },
  { name: 'statusReplicasPath', whenMissing: '' },
  { name: 'labelSelectorPath', omit: 'nil' },
];

const subresources: readonly GoField[] = [
  { name: 'status', omit: 'nil' },
  { name: 'scale', omit: 'nil', encode: (value) => encodeStruct(scale, value) },
];

const printerColumn: readonly GoField[] = [
  { name: 'name', whenMissing: '' },
  { name: 'type', whenMissing: '' },
  { name: 'format', omit: 'zero' },
  { name: 'description', omit: 'zero' },
  { name: 'priority', omit: 'zero' },
  { name: 'jsonPath', whenMissing: '' },
];

const schema: readonly GoField[] = [{ name: 'openAPIV3Schema', encode: encodeSchema }];

const exportedVersion: readonly GoField[] = [
  { name: 'name', whenMissing: '' },
  { name: 'served', whenMissing: false },
  { name: 'storage', whenMissing: false },
  { name: 'deprecated', omit: 'zero' },
  { name: 'deprecationWarning', omit: 'nil' },
  { name: 'schema', encode: (value) => encodeStruct(schema, value) },
  // A Go struct that is not a pointer has no zero value for `omitempty`, hence `{}` when there are no subresources.
  { name: 'subresources', encode: (value) => encodeStruct(subresources, value) },
  {
    name: 'additionalPrinterColumns',
    omit: 'zero',
    encode: (columns) => encodeList(columns, (column) => encodeStruct(printerColumn, column)),
  },
];

const apiFields: readonly GoField[] = [
  { name: 'group', whenMissing: '' },
  { name: 'names', encode: (value) => encodeStruct(names, value) },
  { name: 'scope', whenMissing: '' },
  { name: 'versions', encode: (versions) => encodeList(versions, (version) => encodeStruct(exportedVersion, version)) },
];
