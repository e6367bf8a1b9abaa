import { encodeList, encodeMap, encodeRaw, encodeStruct, type GoField } from '../encoding/go-json.ts';

const value = (name: string, encode?: GoField['encode']): GoField => ({ name, omit: 'zero', encode });
const pointer = (name: string, encode?: GoField['encode']): GoField => ({ name, omit: 'nil', encode });

const schemas = (schema: unknown): string => encodeList(schema, encodeSchema);
const namedSchemas = (schema: unknown): string => encodeMap(schema, encodeSchema);
/** Where OpenAPI allows a schema or else true or false. */
const schemaOrBoolean = (schema: unknown): string =>
  typeof schema === 'object' ? encodeSchema(schema) : encodeRaw(schema);

const validationRule: readonly GoField[] = [
  { name: 'rule', whenMissing: '' },
  value('message'),
  value('messageExpression'),
  pointer('reason'),
  value('fieldPath'),
  pointer('optionalOldSelf'),
];

const externalDocs: readonly GoField[] = [value('description'), value('url')];

/** Fields of the Go type of an OpenAPI schema, in the order of its declaration and without those no CRD may use. */
const schemaFields: readonly GoField[] = [
  value('$schema'),
  value('description'),
  value('type'),
  value('format'),
  value('title'),
  pointer('default'),
  pointer('maximum'),
  value('exclusiveMaximum'),
  pointer('minimum'),
  value('exclusiveMinimum'),
  pointer('maxLength'),
  pointer('minLength'),
  value('pattern'),
  pointer('maxItems'),
  pointer('minItems'),
  value('uniqueItems'),
  pointer('multipleOf'),
  value('enum'),
  pointer('maxProperties'),
  pointer('minProperties'),
  value('required'),
  pointer('items', encodeSchema),
  value('allOf', schemas),
  value('oneOf', schemas),
  value('anyOf', schemas),
  pointer('not', encodeSchema),
  value('properties', namedSchemas),
  pointer('additionalProperties', schemaOrBoolean),
  pointer('additionalItems', schemaOrBoolean),
  pointer('externalDocs', (docs) => encodeStruct(externalDocs, docs)),
  pointer('example'),
  value('nullable'),
  pointer('x-kubernetes-preserve-unknown-fields'),
  value('x-kubernetes-embedded-resource'),
  value('x-kubernetes-int-or-string'),
  value('x-kubernetes-list-map-keys'),
  pointer('x-kubernetes-list-type'),
  pointer('x-kubernetes-map-type'),
  value('x-kubernetes-validations', (rules) => encodeList(rules, (rule) => encodeStruct(validationRule, rule))),
];

/** Writes an OpenAPI schema as the Go components do. */
export function encodeSchema(schema: unknown): string {
  return encodeStruct(schemaFields, schema);
}
