import { isDeepStrictEqual } from 'node:util';
import { breaking, type Finding, needsCare } from './finding.ts';
import { isRecord, kindOf, listOf, numberOf, type Schema, textOf, type ValueKind } from './structural-schema.ts';

/**
 * Says what a change of some keywords does to the values of one place in an object. Rules are independent: a value is
 * valid when every keyword holds, so that it stays valid when no keyword became stricter.
 */
export type ValueRule = (before: Schema, after: Schema, path: string) => readonly Finding[];

/** Whether both schemas are about the same values; when they are not, comparing further would only repeat that. */
export const typeRule: ValueRule = (before, after, path) => {
  const [was, is] = [kindOf(before), kindOf(after)];
  if (was === is) return [];
  if (widerKinds[was]?.includes(is)) return [needsCare(path, `accepts ${is} where it accepted ${was}`)];
  return [breaking(path, `changes its type from ${was} to ${is}`)];
};

const widerKinds: Readonly<Partial<Record<ValueKind, readonly ValueKind[]>>> = {
  object: ['any'],
  array: ['any'],
  boolean: ['any'],
  number: ['any'],
  string: ['int-or-string', 'any'],
  integer: ['number', 'int-or-string', 'any'],
  'int-or-string': ['any'],
};

/** Where a schema names no type, null is as good as any value. */
const nullable: ValueRule = (before, after, path) => {
  const typed = textOf(after, 'type') !== '';
  const forbids = before['nullable'] === true && after['nullable'] !== true && typed;
  return forbids ? [breaking(path, 'may no longer be null')] : [];
};

const formatRule: ValueRule = (before, after, path) => {
  const [was, is] = [textOf(before, 'format'), textOf(after, 'format')];
  if (was === is) return [];
  if (is === '') return [needsCare(path, `no longer has the format ${was}`)];
  if (widerFormats[was] === is) return [needsCare(path, `changes its format from ${was} to ${is}`)];
  if (!enforcedFormats.has(is)) return [needsCare(path, `has the new format ${is}, which no API server checks`)];
  return [breaking(path, `must now have the format ${is}`)];
};

const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

/** Formats that API servers check; they ignore all others. */
const enforcedFormats = new Set(
  (
    'int32 int64 float double byte password date datetime date-time duration uri email hostname ipv4 ipv6 cidr mac ' +
    'uuid uuid3 uuid4 uuid5 bsonobjectid isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor k8s-short-name k8s-long-name'
  ).split(' '),
);

const enumRule: ValueRule = (before, after, path) => {
  const [was, is] = [listOf(before, 'enum'), listOf(after, 'enum')];
  if (is.length === 0) return [];
  if (was.length === 0) return [breaking(path, `accepts only ${values(is)} now`)];
  const gone = was.filter((value) => !includes(is, value));
  return gone.length > 0 ? [breaking(path, `no longer accepts ${values(gone)}`)] : [];
};

const patternRule: ValueRule = (before, after, path) => {
  const [was, is] = [textOf(before, 'pattern'), textOf(after, 'pattern')];
  if (is === '' || was === is) return [];
  return [breaking(path, was === '' ? `must now match ${is}` : `must now match ${is} instead of ${was}`)];
};

/** A limit from above or below, together with the keyword that excludes the limit itself. */
function limit(keyword: string, side: 'most' | 'least', exclusive?: string): ValueRule {
  const words = `at ${side}`;
  return (before, after, path) => {
    const [was, is] = [numberOf(before, keyword), numberOf(after, keyword)];
    // No count is below zero.
    if (is === undefined || (side === 'least' && exclusive === undefined && is <= 0)) return [];
    if (was === undefined) return [breaking(path, `has the new limit ${keyword} ${is} (${words})`)];
    const stricter = side === 'most' ? is < was : is > was;
    if (stricter) return [breaking(path, `has a stricter limit: ${keyword} goes from ${was} to ${is}`)];
    const excludes = exclusive !== undefined && is === was && after[exclusive] === true && before[exclusive] !== true;
    return excludes ? [breaking(path, `may no longer be ${is} itself (${exclusive})`)] : [];
  };
}

const multipleOf: ValueRule = (before, after, path) => {
  const [was, is] = [numberOf(before, 'multipleOf'), numberOf(after, 'multipleOf')];
  if (is === undefined || was === is || (was !== undefined && was % is === 0)) return [];
  return [breaking(path, `must now be a multiple of ${is}`)];
};

const uniqueItems: ValueRule = (before, after, path) =>
  after['uniqueItems'] === true && before['uniqueItems'] !== true
    ? [breaking(path, 'may no longer hold the same item twice')]
    : [];

const embeddedResource: ValueRule = (before, after, path) => {
  const keyword = 'x-kubernetes-embedded-resource';
  if ((before[keyword] === true) === (after[keyword] === true)) return [];
  return [breaking(path, after[keyword] === true ? 'must now be a whole object' : 'need no longer be a whole object')];
};

/** Decides which items may stand side by side, and how several writers share a list. */
const listType: ValueRule = (before, after, path) => {
  const [was, is] = [before, after].map((schema) => textOf(schema, 'x-kubernetes-list-type') || 'atomic');
  if (was !== is) return [breaking(path, `changes its list type from ${was} to ${is}`)];
  const [keysBefore, keysAfter] = [before, after].map((schema) =>
    listOf(schema, 'x-kubernetes-list-map-keys').map(String).sort().join(', '),
  );
  return keysBefore === keysAfter ? [] : [breaking(path, `changes its keys from ${keysBefore} to ${keysAfter}`)];
};

const mapType: ValueRule = (before, after, path) => {
  const [was, is] = [before, after].map((schema) => textOf(schema, 'x-kubernetes-map-type') || 'granular');
  return was === is ? [] : [needsCare(path, `changes how several writers share it, from ${was} to ${is}`)];
};

/** CEL rules are compared by their text: whether one implies another is not known. */
const celRules: ValueRule = (before, after, path) => {
  const known = new Set(rulesOf(before).map(ruleKey));
  return rulesOf(after)
    .filter((rule) => !known.has(ruleKey(rule)))
    .map((rule) => breaking(path, `has the new rule ${textOf(rule, 'rule')}`));
};

function rulesOf(schema: Schema): readonly Schema[] {
  return listOf(schema, 'x-kubernetes-validations').filter(isRecord);
}

function ruleKey(rule: Schema): string {
  return JSON.stringify([textOf(rule, 'rule').trim(), rule['optionalOldSelf'] === true]);
}

const allOf: ValueRule = (before, after, path) => {
  const added = listOf(after, 'allOf').filter((part) => !includes(listOf(before, 'allOf'), part));
  return added.length > 0 ? [breaking(path, 'must meet new conditions (allOf)')] : [];
};

const anyOf: ValueRule = (before, after, path) => {
  const [was, is] = [alternatives(before), alternatives(after)];
  if (is.length === 0) return [];
  if (was.length === 0) return [breaking(path, 'must meet one of new conditions (anyOf)')];
  const gone = was.filter((part) => !includes(is, part));
  return gone.length > 0 ? [breaking(path, 'loses an alternative (anyOf)')] : [];
};

/** With `x-kubernetes-int-or-string` the customary pair of types says nothing new. */
function alternatives(schema: Schema): readonly unknown[] {
  const parts = listOf(schema, 'anyOf');
  const pair = [{ type: 'integer' }, { type: 'string' }];
  return kindOf(schema) === 'int-or-string' && isDeepStrictEqual(parts, pair) ? [] : parts;
}

/** For keywords under which a change can go either way. */
function unchanged(keyword: 'oneOf' | 'not'): ValueRule {
  return (before, after, path) => {
    const isAbsent = after[keyword] === undefined || (keyword === 'oneOf' && listOf(after, keyword).length === 0);
    if (isAbsent || isDeepStrictEqual(before[keyword], after[keyword])) return [];
    return [breaking(path, `must meet other conditions (${keyword})`)];
  };
}

/** All rules about values but that on types. */
export const valueRules: readonly ValueRule[] = [
  nullable,
  formatRule,
  enumRule,
  patternRule,
  limit('maxLength', 'most'),
  limit('minLength', 'least'),
  limit('maxItems', 'most'),
  limit('minItems', 'least'),
  limit('maxProperties', 'most'),
  limit('minProperties', 'least'),
  limit('maximum', 'most', 'exclusiveMaximum'),
  limit('minimum', 'least', 'exclusiveMinimum'),
  multipleOf,
  uniqueItems,
  embeddedResource,
  listType,
  mapType,
  celRules,
  allOf,
  anyOf,
  unchanged('oneOf'),
  unchanged('not'),
];

function includes(list: readonly unknown[], value: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(other, value));
}

function values(list: readonly unknown[]): string {
  return list.map((value) => JSON.stringify(value)).join(', ');
}
