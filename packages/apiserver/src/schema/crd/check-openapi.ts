import { type CostLedger, hasDefault, isSchema, type JsonSchema, type RulePlace, ruleProblems } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { forbidden, invalid, notSupported } from '../fields/field-error.ts';
import { child, index, key } from '../fields/field-path.ts';
import { collectionProblems } from './check-collections.ts';
import { ruleProblemCause, ruleTextProblems } from './check-rules.ts';
import { hasItemList, isFilled, itemsOf, type RawSchema } from './raw-schema.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = new Set(['metadata', 'kind', 'apiVersion']);

/** Where in a schema the check is. */
export interface Position {
  readonly path: string;
  readonly isRoot: boolean;
  /** Whether this is about `apiVersion`, `kind` or `metadata` of a resource. */
  readonly isInMeta: boolean;
  /** Why defaults may not be used here; undefined where they may. */
  readonly noDefaults: string | undefined;
  /** The same place as rules see it; undefined where rules are not looked at. */
  readonly rulePlace: RulePlace | undefined;
}

/** What was found: problems of the schema, and problems of its rules. */
export interface OpenApiProblems {
  readonly schema: readonly FieldCause[];
  readonly rules: readonly FieldCause[];
}

/** Checks a schema part by part. Rules are compiled only where everything around them is in order. */
export function openApiProblems(schema: JsonSchema, at: Position, ledger: CostLedger): OpenApiProblems {
  const below = partsBelow(schema, at).map(([part, position]) => openApiProblems(part, position, ledger));
  const found = [
    ...forbiddenProblems(schema, at),
    ...(schema.uniqueItems
      ? [
          forbidden(
            child(at.path, 'uniqueItems'),
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...exclusionProblems(schema, at.path),
    ...below.flatMap((part) => part.schema),
    ...preserveProblems(schema, at.path),
    ...collectionProblems(schema, at.path),
    ...ruleTextProblems(schema, at.path),
  ];
  const rules = below.flatMap((part) => part.rules);
  const { rulePlace } = at;
  const areRulesDue = found.length === 0 && rulePlace !== undefined && isFilled(schema['x-kubernetes-validations']);
  if (!areRulesDue) return { schema: found, rules };
  return { schema: found, rules: [...rules, ...ruleProblems(rulePlace, ledger).map(ruleProblemCause)] };
}

function forbiddenProblems(schema: RawSchema, { path, isInMeta, noDefaults }: Position): FieldCause[] {
  const { type = '' } = schema;
  const unsupported = (name: string) => forbidden(child(path, name), `${name} is not supported`);
  return [
    ...(type !== '' && !TYPES.includes(type) ? [notSupported(child(path, 'type'), type, TYPES)] : []),
    ...(hasDefault(schema) && noDefaults !== undefined
      ? [forbidden(child(path, 'default'), `must not be set ${noDefaults}`)]
      : []),
    ...(schema.id ? [unsupported('id')] : []),
    ...(schema.additionalItems !== undefined ? [unsupported('additionalItems')] : []),
    ...(isFilled(schema.patternProperties) ? [unsupported('patternProperties')] : []),
    ...(isFilled(schema.definitions) ? [unsupported('definitions')] : []),
    ...(schema.dependencies === undefined ? [] : [unsupported('dependencies')]),
    ...(schema.$ref === undefined ? [] : [unsupported('$ref')]),
    ...(type === 'null'
      ? [forbidden(child(path, 'type'), 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(hasItemList(schema) ? [forbidden(child(path, 'items'), 'items must be a schema object and not an array')] : []),
    ...(isInMeta && schema['x-kubernetes-embedded-resource']
      ? [forbidden(child(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta')]
      : []),
  ];
}

function exclusionProblems({ additionalProperties, properties }: JsonSchema, path: string): FieldCause[] {
  const isOpen = additionalProperties === undefined || additionalProperties === true;
  if (isOpen || !isFilled(properties)) return [];
  return [forbidden(child(path, 'additionalProperties'), 'additionalProperties and properties are mutual exclusive')];
}

function preserveProblems(schema: JsonSchema, path: string): FieldCause[] {
  const name = 'x-kubernetes-preserve-unknown-fields';
  return schema[name] === false ? [invalid(child(path, name), false, 'must be true or undefined')] : [];
}

function partsBelow(schema: JsonSchema, at: Position): [JsonSchema, Position][] {
  const { additionalProperties, properties = {}, not, allOf = [], oneOf = [], anyOf = [] } = schema;
  const items = itemsOf(schema);
  const here: Position = { ...at, isRoot: false };
  const restrictive = (name: string, parts: readonly JsonSchema[]) =>
    parts.map((part, position): [JsonSchema, Position] => [
      part,
      inJunctor(here, index(child(at.path, name), position)),
    ]);
  return [
    ...(isSchema(additionalProperties) ? [entryPosition(additionalProperties, here)] : []),
    ...Object.entries(properties).map(([name, part]): [JsonSchema, Position] => [
      part,
      propertyPosition(schema, name, part, at),
    ]),
    ...(not ? [[not, inJunctor(here, child(at.path, 'not'))] as [JsonSchema, Position]] : []),
    ...restrictive('allOf', allOf),
    ...restrictive('oneOf', oneOf),
    ...restrictive('anyOf', anyOf),
    ...(items ? [itemPosition(items, here)] : []),
  ];
}

const inJunctor = (here: Position, path: string): Position => ({ ...here, path, rulePlace: undefined });

function entryPosition(entry: JsonSchema, here: Position): [JsonSchema, Position] {
  const noDefaults = here.isInMeta ? 'inside additionalProperties applying to object metadata' : here.noDefaults;
  const path = child(here.path, 'additionalProperties');
  return [entry, { ...here, path, noDefaults, rulePlace: here.rulePlace?.entry(entry) }];
}

function propertyPosition(schema: JsonSchema, name: string, property: JsonSchema, at: Position): Position {
  const isMeta = (at.isRoot || schema['x-kubernetes-embedded-resource'] === true) && META_FIELDS.has(name);
  return {
    ...at,
    isRoot: false,
    path: key(child(at.path, 'properties'), name),
    isInMeta: at.isInMeta || isMeta,
    noDefaults: isMeta && at.isRoot ? `in top-level ${name}` : at.noDefaults,
    rulePlace: at.rulePlace?.property(name, property),
  };
}

function itemPosition(items: JsonSchema, here: Position): [JsonSchema, Position] {
  return [items, { ...here, path: child(here.path, 'items'), rulePlace: here.rulePlace?.item(items) }];
}
