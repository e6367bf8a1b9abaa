import { deepEqual, OBJECT_FORMATS, patternProblem } from '@klutch/cel';
import type { Json, Schema } from '../catalogue.ts';
import type { TreePath } from '../files/tree.ts';
import { isService, offersOf } from '../../render/offers.ts';
import { type Check, finding } from './finding.ts';

/** Schemas of fields are structural, as Kubernetes demands, and allow some value. */
export const fieldSchemas: Check = (catalogue) =>
  offersOf(catalogue).flatMap((offer) => [
    ...offer.fields.flatMap(({ name, schema }) =>
      schemaProblems(schema, ['fields', name, 'schema']).map(({ path, message }) => finding(offer, path, message)),
    ),
    ...(isService(offer) ? offer.parameters : []).flatMap(({ name, schema }) =>
      schemaProblems(schema, ['parameters', name, 'schema']).map(({ path, message }) => finding(offer, path, message)),
    ),
  ]);

interface SchemaProblem {
  readonly path: TreePath;
  readonly message: string;
}

const intOrString = 'x-kubernetes-int-or-string';
const preserve = 'x-kubernetes-preserve-unknown-fields';

/** All problems of a schema and of those in it. */
export function schemaProblems(schema: Schema, path: TreePath): readonly SchemaProblem[] {
  const at = (key: string, message: string): SchemaProblem => ({ path: [...path, key], message });
  const { properties = {}, items, additionalProperties } = schema as SchemaParts;
  return [
    ...typeProblems(schema).map(({ key, message }) => at(key, message)),
    ...valueProblems(schema).map(({ key, message }) => at(key, message)),
    ...Object.entries(properties).flatMap(([name, inner]) => schemaProblems(inner, [...path, 'properties', name])),
    ...(items ? schemaProblems(items, [...path, 'items']) : []),
    ...(additionalProperties ? schemaProblems(additionalProperties, [...path, 'additionalProperties']) : []),
  ];
}

interface SchemaParts {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

interface KeyProblem {
  readonly key: string;
  readonly message: string;
}

/** Which type each key of a schema is for. */
const typesOfKeys: Readonly<Record<string, readonly string[]>> = {
  pattern: ['string'],
  minLength: ['string'],
  maxLength: ['string'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  properties: ['object'],
  additionalProperties: ['object'],
  required: ['object'],
};

function typeProblems(schema: Schema): KeyProblem[] {
  const { type } = schema;
  if (schema[intOrString] === true && type !== undefined)
    return [{ key: 'type', message: `Leave "type" out beside ${intOrString}.` }];
  if (schema[intOrString] === true && schema[preserve] !== undefined)
    return [{ key: preserve, message: `Leave ${preserve} out beside ${intOrString}.` }];
  if (schema[preserve] === false) return [{ key: preserve, message: 'Only true is allowed here; leave the key out.' }];
  if (type === undefined && schema[intOrString] !== true && schema[preserve] !== true)
    return [{ key: 'type', message: 'A schema needs a "type": string, integer, number, boolean, array or object.' }];
  if (type === 'array' && schema['items'] === undefined)
    return [{ key: 'type', message: 'A list needs "items" that say what is in it.' }];
  if (schema['properties'] !== undefined && schema['additionalProperties'] !== undefined)
    return [{ key: 'additionalProperties', message: 'Use either "properties" or "additionalProperties", not both.' }];
  return Object.entries(typesOfKeys).flatMap(([key, types]) => {
    const allowed = schema[intOrString] === true ? ['string', 'integer', 'number'] : [type ?? 'object'];
    if (schema[key] === undefined || types.some((candidate) => allowed.includes(candidate))) return [];
    return [{ key, message: `"${key}" is for the type ${types.join(' or ')} only.` }];
  });
}

/** Kubernetes keeps these for clients, and does not check them. */
const formatsOfNumbers = ['int32', 'int64', 'float', 'double'];

function valueProblems(schema: Schema): KeyProblem[] {
  const pattern = typeof schema['pattern'] === 'string' ? patternProblem(schema['pattern']) : undefined;
  const { format } = schema;
  return [
    ...(pattern === undefined
      ? []
      : [{ key: 'pattern', message: `This is no regular expression of RE2: ${pattern}.` }]),
    ...(typeof format === 'string' && !formatsOfNumbers.includes(format) && !OBJECT_FORMATS.isKept(format)
      ? [{ key: 'format', message: `Kubernetes knows no format "${format}" and would not check it.` }]
      : []),
    ...rangeProblems(schema),
    ...enumProblems(schema),
    ...requiredProblems(schema),
    ...excludedProblems(schema),
  ];
}

function rangeProblems(schema: Schema): KeyProblem[] {
  return [
    ['minimum', 'maximum'],
    ['minLength', 'maxLength'],
    ['minItems', 'maxItems'],
  ].flatMap(([least = '', most = '']) =>
    Number(schema[least] ?? -Infinity) > Number(schema[most] ?? Infinity)
      ? [{ key: most, message: `No value is allowed: "${most}" is less than "${least}".` }]
      : [],
  );
}

function enumProblems({ enum: values, type }: Schema): KeyProblem[] {
  if (!Array.isArray(values)) return [];
  const listed = values as readonly Json[];
  const wrong = listed.find((value) => typeof type === 'string' && !isOfType(type, value));
  if (wrong !== undefined) {
    const hint = type === 'string' ? '; put it in quotes to make it a text' : '';
    return [{ key: 'enum', message: `${JSON.stringify(wrong)} is not of the type ${String(type)}${hint}.` }];
  }
  const twice = listed.find((value, at) => listed.slice(0, at).some((earlier) => deepEqual(earlier, value)));
  return twice === undefined ? [] : [{ key: 'enum', message: `${JSON.stringify(twice)} is here twice.` }];
}

function isOfType(type: string, value: Json): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === typeof value;
}

function requiredProblems({ required, properties }: Schema): KeyProblem[] {
  if (!Array.isArray(required)) return [];
  const unknown = (required as string[]).find((name) => !Object.hasOwn((properties ?? {}) as Schema, name));
  return unknown === undefined
    ? []
    : [{ key: 'required', message: `"${unknown}" is required, but it is not under "properties".` }];
}

function excludedProblems({ not }: Schema): KeyProblem[] {
  const { pattern } = (not ?? {}) as Schema;
  const problem = typeof pattern === 'string' ? patternProblem(pattern) : undefined;
  return problem === undefined ? [] : [{ key: 'not', message: `This is no regular expression of RE2: ${problem}.` }];
}
