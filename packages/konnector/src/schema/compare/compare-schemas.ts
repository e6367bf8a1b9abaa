import { isDeepStrictEqual } from 'node:util';
import { breaking, type Finding, needsCare } from './finding.ts';
import {
  asSchema,
  itemsOf,
  numberOf,
  otherFieldsOf,
  propertiesOf,
  requiredOf,
  type Schema,
} from './structural-schema.ts';
import { typeRule, valueRules } from './value-rules.ts';

/**
 * What happens to objects of a version when its schema changes. Without a breaking finding, every object that was valid
 * stays valid and keeps all its fields. CEL rules that did not change count as met, also where a default is new.
 */
export function compareSchemas(before: Schema, after: Schema, path = ''): readonly Finding[] {
  return compare(wholeObject(before), wholeObject(after), path);
}

function compare(before: Schema, after: Schema, path: string): readonly Finding[] {
  // What accepts anything accepts anything within, without end.
  if (before === after) return [];
  const type = typeRule(before, after, path);
  if (type.some(({ level }) => level === 'breaking')) return type;
  return [
    ...type,
    ...valueRules.flatMap((rule) => rule(before, after, path)),
    ...compareItems(before, after, path),
    ...compareProperties(before, after, path),
    ...compareOtherFields(before, after, path),
    ...compareRequired(before, after, path),
  ];
}

function compareItems(before: Schema, after: Schema, path: string): readonly Finding[] {
  const [was, is] = [itemsOf(before), itemsOf(after)];
  return is === undefined ? [] : compare(was ?? {}, is, `${path}[]`);
}

function compareProperties(before: Schema, after: Schema, path: string): readonly Finding[] {
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap((name) => {
    const place = `${path}.${name}`;
    // A field without a schema of its own falls under what holds for fields that are not named.
    const old = own(was, name) ?? otherFieldsOf(before);
    const now = own(is, name) ?? otherFieldsOf(after);
    if (now === undefined) return [breaking(place, 'is removed, and its values with it')];
    const defaults = compareDefaults(old, now, { place, name, after });
    return old === undefined ? defaults : [...compare(old, now, place), ...defaults];
  });
}

function compareDefaults(
  before: Schema | undefined,
  after: Schema,
  { place, name, after: parent }: { readonly place: string; readonly name: string; readonly after: Schema },
): readonly Finding[] {
  const [was, is] = [before?.['default'], after['default']];
  if (isDeepStrictEqual(was, is)) return [];
  if (was !== undefined && is !== undefined) {
    return [needsCare(place, `changes its default from ${JSON.stringify(was)} to ${JSON.stringify(is)}`)];
  }
  const countsFields =
    numberOf(parent, 'maxProperties') !== undefined || numberOf(parent, 'minProperties') !== undefined;
  const finding = (mayBreak: boolean, sentence: string) => (mayBreak ? breaking : needsCare)(place, sentence);
  if (is !== undefined) return [finding(countsFields, `has the new default ${JSON.stringify(is)}`)];
  const isRequired = requiredOf(parent).has(name);
  return [finding(countsFields || isRequired, `loses its default ${JSON.stringify(was)}`)];
}

function compareOtherFields(before: Schema, after: Schema, path: string): readonly Finding[] {
  const [was, is] = [otherFieldsOf(before), otherFieldsOf(after)];
  if (was === undefined) return [];
  if (is === undefined) return [breaking(path, 'no longer keeps fields that its schema does not name')];
  return compare(was, is, `${path}.*`);
}

function compareRequired(before: Schema, after: Schema, path: string): readonly Finding[] {
  const was = requiredOf(before);
  const properties = propertiesOf(after);
  return [...requiredOf(after)]
    .filter((name) => !was.has(name) && own(properties, name)?.['default'] === undefined)
    .map((name) => breaking(`${path}.${name}`, 'is now required'));
}

/**
 * The root of a schema, completed by what every object has whether the schema names it or not: otherwise naming it would
 * look like an addition, and leaving it out like a removal.
 */
function wholeObject(root: Schema): Schema {
  const { apiVersion: _, kind: __, metadata, ...properties } = propertiesOf(root);
  const text = { type: 'string' };
  return {
    ...root,
    required: [...requiredOf(root)].filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name)),
    properties: {
      ...properties,
      metadata: {
        ...asSchema(metadata),
        type: 'object',
        properties: { name: text, generateName: text, ...propertiesOf(asSchema(metadata)) },
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  };
}

/** A property may be called `constructor`. */
function own(properties: Readonly<Record<string, Schema>>, name: string): Schema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
