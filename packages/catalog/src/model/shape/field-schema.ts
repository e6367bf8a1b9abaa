import { Array as List, Integer as Whole, Number as Num, Optional, Unsafe } from 'typebox';
import type { Schema } from '../catalogue.ts';
import { fields, flag, json, named, oneOf, ref, text, texts, word } from './parts.ts';

/** The schema of a field of claims: of what Kubernetes calls a structural schema, the part that needs no CEL. */
export const fieldSchema = ref<Schema>('fieldSchema');

export const fieldSchemaShape = fields('The values that are allowed, as in the schema of a CRD. Limits belong here.', {
  description: Optional(text('What the field is for; shown by kubectl explain.')),
  type: Optional(word('What kind of value.', ['string', 'integer', 'number', 'boolean', 'array', 'object'])),
  enum: Optional(List(json('An allowed value.'), { description: 'All values that are allowed.', minItems: 1 })),
  format: Optional(text('A format that Kubernetes knows, such as date-time or int32.')),
  pattern: Optional(text('A regular expression (RE2) that a text must match somewhere; ^ and $ bind it to both ends.')),
  minLength: Optional(Whole({ description: 'Least number of characters.', minimum: 0 })),
  maxLength: Optional(Whole({ description: 'Largest number of characters.', minimum: 0 })),
  minimum: Optional(Num({ description: 'Least number.' })),
  maximum: Optional(Num({ description: 'Largest number.' })),
  minItems: Optional(Whole({ description: 'Least number of items.', minimum: 0 })),
  maxItems: Optional(Whole({ description: 'Largest number of items.', minimum: 0 })),
  items: Optional(fieldSchema),
  properties: Optional(named('Fields of an object.', fieldSchema)),
  additionalProperties: Optional(fieldSchema),
  required: Optional(texts('Fields of an object that must be set.')),
  nullable: Optional(flag('Whether null is allowed.')),
  not: Optional(ref<Schema>('excludedValues')),
  'x-kubernetes-int-or-string': Optional(flag('Whole number or text; leave type out.')),
  'x-kubernetes-preserve-unknown-fields': Optional(flag('Keep fields that are not described here.')),
});

export const excludedValuesShape = oneOf<Schema>(
  'Values that are not allowed although the rest of the schema allows them.',
  Unsafe<Schema>({ ...fields('', { enum: List(json('A value.'), { minItems: 1 }) }), title: 'enum' }),
  Unsafe<Schema>({ ...fields('', { pattern: text('A regular expression (RE2).') }), title: 'pattern' }),
);
