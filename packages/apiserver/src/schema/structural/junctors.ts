import { type JsonSchema, patternProblem } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { itemsOf } from '../crd/raw-schema.ts';
import { forbidden, invalid } from '../fields/field-error.ts';
import { child, index, key } from '../fields/field-path.ts';

/** `anyOf: [{type: integer}, {type: string}]`, which the union of the two may have written out. */
export function isIntOrStringAnyOf({ anyOf = [] }: JsonSchema): boolean {
  const [first, second] = anyOf;
  return anyOf.length === 2 && isJust(first, 'integer') && isJust(second, 'string');
}

/** The same as the first part of an `allOf`. */
export function isIntOrStringAllOf({ allOf: [first] = [] }: JsonSchema): boolean {
  return first !== undefined && isIntOrStringAnyOf(first);
}

const isJust = (schema: JsonSchema | undefined, type: string) =>
  schema?.type === type && Object.keys(schema).length === 1;

/** Checks the junctors of a schema, and its pattern. Junctors may restrict values, but not say what they are. */
export function junctorProblems(
  schema: JsonSchema,
  skipAnyOf: boolean,
  skipFirstAnyOf: boolean,
  path: string,
): FieldCause[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = schema;
  const at = (name: string, position: number) => index(child(path, name), position);
  const problem = pattern ? patternProblem(pattern) : undefined;
  return [
    ...(skipAnyOf ? [] : anyOf.flatMap((part, position) => nestedProblems(part, false, at('anyOf', position)))),
    ...allOf.flatMap((part, position) => nestedProblems(part, skipFirstAnyOf && position === 0, at('allOf', position))),
    ...oneOf.flatMap((part, position) => nestedProblems(part, false, at('oneOf', position))),
    ...(not ? nestedProblems(not, false, child(path, 'not')) : []),
    ...(problem === undefined
      ? []
      : [invalid(child(path, 'pattern'), pattern, `must be a valid regular expression, but isn't: ${problem}`)]),
  ];
}

function nestedProblems(schema: JsonSchema, skipAnyOf: boolean, path: string): FieldCause[] {
  const items = itemsOf(schema);
  const { properties = {} } = schema;
  return [
    ...junctorProblems(schema, skipAnyOf, false, path),
    ...(items ? nestedProblems(items, false, child(path, 'items')) : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      nestedProblems(property, false, key(child(path, 'properties'), name)),
    ),
    ...forbiddenParts(schema, path),
    ...(Object.hasOwn(properties, 'metadata')
      ? [forbidden(key(child(path, 'properties'), 'metadata'), 'must not be specified in a nested context')]
      : []),
  ];
}

type Part = readonly [
  name: keyof JsonSchema,
  isSet: (schema: JsonSchema) => boolean,
  how: 'empty' | 'undefined' | 'false',
];

const FORBIDDEN: readonly Part[] = [
  ['type', ({ type }) => Boolean(type), 'empty'],
  [
    'additionalProperties',
    ({ additionalProperties }) => additionalProperties !== undefined && additionalProperties !== false,
    'undefined',
  ],
  ['default', ({ default: value }) => value !== undefined && value !== null, 'undefined'],
  ['title', ({ title }) => Boolean(title), 'empty'],
  ['description', ({ description }) => Boolean(description), 'empty'],
  ['nullable', ({ nullable }) => nullable === true, 'false'],
  [
    'x-kubernetes-preserve-unknown-fields',
    (schema) => schema['x-kubernetes-preserve-unknown-fields'] === true,
    'false',
  ],
  ['x-kubernetes-embedded-resource', (schema) => schema['x-kubernetes-embedded-resource'] === true, 'false'],
  ['x-kubernetes-int-or-string', (schema) => schema['x-kubernetes-int-or-string'] === true, 'false'],
  ['x-kubernetes-list-map-keys', (schema) => (schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0, 'empty'],
  ['x-kubernetes-list-type', (schema) => schema['x-kubernetes-list-type'] !== undefined, 'undefined'],
  ['x-kubernetes-map-type', (schema) => schema['x-kubernetes-map-type'] !== undefined, 'undefined'],
  ['x-kubernetes-validations', (schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0, 'empty'],
];

const forbiddenParts = (schema: JsonSchema, path: string) =>
  FORBIDDEN.filter(([, isSet]) => isSet(schema)).map(([name, , how]) =>
    forbidden(child(path, name), `must be ${how} to be structural`),
  );
