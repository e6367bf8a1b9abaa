import type { Struct } from '../types/go-type.ts';
import { bool, dict, either, float, int64, keyed, list, must, named, ptr, raw, struct, text } from '../types/fields.ts';

const externalDocumentation = struct('ExternalDocumentation', 'Where to read more.', {
  description: text('What is there.'),
  url: text('Where.'),
});

const validationRule = struct('ValidationRule', 'A rule in CEL.', {
  rule: must(text('The expression; self is the value it is about.')),
  message: text('What is said when it fails.'),
  messageExpression: text('An expression that gives the message.'),
  reason: ptr(named('FieldValueErrorReason', 'Reason for programs.')),
  fieldPath: text('Field the failure is reported for.'),
  optionalOldSelf: ptr(bool('Whether it also runs when there is no old value.')),
});

/** A schema within a CustomResourceDefinition; schemas contain schemas. */
export const jsonSchemaProps: Struct = struct('JSONSchemaProps', 'What a value looks like.', () => ({
  id: text(),
  $schema: named('JSONSchemaURL'),
  $ref: ptr(text('Not allowed.')),
  description: text('What the value is, for people.'),
  type: text('object, array, string, integer, number or boolean.'),
  format: text('Format of the type, such as date-time.'),
  title: text(),
  default: ptr(raw('What it is if nothing is said.')),
  maximum: ptr(float('Greatest number.')),
  exclusiveMaximum: bool('Whether the greatest number itself is too great.'),
  minimum: ptr(float('Smallest number.')),
  exclusiveMinimum: bool('Whether the smallest number itself is too small.'),
  maxLength: ptr(int64('Greatest length of a text.')),
  minLength: ptr(int64('Smallest length of a text.')),
  pattern: text('Regular expression for texts.'),
  maxItems: ptr(int64('Greatest length of a list.')),
  minItems: ptr(int64('Smallest length of a list.')),
  uniqueItems: bool('Must be false.'),
  multipleOf: ptr(float('What numbers are multiples of.')),
  enum: list(raw(), 'Values that are allowed.'),
  maxProperties: ptr(int64('Greatest number of fields.')),
  minProperties: ptr(int64('Smallest number of fields.')),
  required: list(text(), 'Fields that must be there.'),
  items: ptr(either([jsonSchemaProps, list(jsonSchemaProps)], 'Schema of the items of a list.')),
  allOf: list(jsonSchemaProps, 'Schemas that must all hold.'),
  oneOf: list(jsonSchemaProps, 'Schemas of which exactly one must hold.'),
  anyOf: list(jsonSchemaProps, 'Schemas of which one must hold.'),
  not: ptr(jsonSchemaProps, 'Schema that must not hold.'),
  properties: dict(jsonSchemaProps, 'Schemas of the fields.'),
  additionalProperties: ptr(either([jsonSchemaProps, bool()], 'Schema of all other fields.')),
  patternProperties: dict(jsonSchemaProps, 'Not allowed.'),
  dependencies: dict(either([jsonSchemaProps, list(text())]), 'Not allowed.'),
  additionalItems: ptr(either([jsonSchemaProps, bool()], 'Not allowed.')),
  definitions: dict(jsonSchemaProps, 'Not allowed.'),
  externalDocs: ptr(externalDocumentation, 'Where to read more.'),
  example: ptr(raw('An example.')),
  nullable: bool('Whether null is allowed.'),
  'x-kubernetes-preserve-unknown-fields': ptr(bool('Whether fields without a schema are kept.')),
  'x-kubernetes-embedded-resource': bool('Whether the value is an object with apiVersion, kind and metadata.'),
  'x-kubernetes-int-or-string': bool('Whether the value is an integer or a text.'),
  'x-kubernetes-list-map-keys': list(text(), 'Fields that tell items of a list apart.'),
  'x-kubernetes-list-type': ptr(text('atomic, set or map.')),
  'x-kubernetes-map-type': ptr(text('granular or atomic.')),
  'x-kubernetes-validations': keyed('rule', validationRule, 'Rules in CEL.'),
}));
