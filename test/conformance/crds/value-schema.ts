import { objectOf } from '../definition.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };

/** Properties of every kind of value. */
export const properties = {
  integer: { type: 'integer', minimum: 1, maximum: 10 },
  exclusive: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
  multiple: { type: 'integer', multipleOf: 5 },
  int32: { type: 'integer', format: 'int32' },
  text: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
  choice: { type: 'string', enum: ['a', 'b'] },
  flag: { type: 'boolean' },
  list: { type: 'array', minItems: 1, maxItems: 2, items: integer },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
  map: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: objectOf({ k: string }, { required: ['k'] }),
  },
  needs: objectOf({ a: string, b: string }, { required: ['a', 'b'] }),
  sized: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: integer },
  nullable: { type: 'string', nullable: true },
  intOrString: { 'x-kubernetes-int-or-string': true },
  either: { type: 'object', properties: { a: string, b: string }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  notBoth: { type: 'object', properties: { a: string, b: string }, not: { required: ['a', 'b'] } },
  some: { type: 'integer', anyOf: [{ maximum: 1 }, { minimum: 5 }] },
  all: { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 4 }] },
  date: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  uuid: { type: 'string', format: 'uuid' },
  byte: { type: 'string', format: 'byte' },
  email: { type: 'string', format: 'email' },
  ipv4: { type: 'string', format: 'ipv4' },
  duration: { type: 'string', format: 'duration' },
  unknownFormat: { type: 'string', format: 'unicorn' },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
};
