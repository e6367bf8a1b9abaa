import { array, boolean, freeForm, type InferFields, integer, object, required, string } from '../schema/schema.ts';

/** A column that `kubectl get` shows. */
const printerColumnFields = {
  name: required(string('Heading.')),
  type: required(string('OpenAPI type of the value.')),
  jsonPath: required(string('Where in the object the value is found.')),
  description: string('What the column tells.'),
  format: string('OpenAPI format of the value.'),
  priority: integer('Columns above 0 appear only in wide output.', { format: 'int32' }),
};

/** One version of an exported API, as a CRD declares it but without what only the control plane needs. */
export const exportedVersionFields = {
  name: required(
    string('Version as it appears in URLs.', { minLength: 1, pattern: '^v[1-9][0-9]*([a-z]+[1-9][0-9]*)?$' }),
  ),
  served: required(boolean('Whether clients may use this version.', { default: true })),
  storage: required(boolean('Whether objects are stored in this version; true for exactly one.')),
  deprecated: boolean('Whether clients of this version are warned.'),
  deprecationWarning: string('Text of that warning.'),
  schema: required(
    object('What objects of this version look like.', {
      openAPIV3Schema: required(freeForm('OpenAPI v3 schema, carried as it is.', { atomic: true })),
    }),
  ),
  subresources: object('Subresources of this version.', {
    status: object('The version serves `/status`.', {}),
    scale: object('The version serves `/scale`.', {
      specReplicasPath: required(string('JSON path of the wanted number of replicas.')),
      statusReplicasPath: required(string('JSON path of the observed number of replicas.')),
      labelSelectorPath: string('JSON path of the label selector.'),
    }),
  }),
  additionalPrinterColumns: array('Columns of `kubectl get`.', object('A column.', printerColumnFields), {
    merge: { keys: ['name'] },
  }),
};

export type PrinterColumn = InferFields<typeof printerColumnFields>;
export type ExportedVersion = InferFields<typeof exportedVersionFields>;
