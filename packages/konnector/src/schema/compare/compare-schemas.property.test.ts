import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSchemas } from './compare-schemas.ts';
import { verdictOf } from './finding.ts';
import { accepts, pruned } from './small-validator.fixture.ts';
import type { Schema } from './structural-schema.ts';

/** Few names and small numbers, so that two schemas speak of the same things and values lie at their limits. */
const name = fc.constantFrom('a', 'b', 'c');
const small = fc.integer({ min: 0, max: 3 });
const maybe = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((found) => (found === undefined ? {} : { [key]: found }));
const merged = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<Schema> =>
  fc.tuple(...parts).map((found) => Object.assign({}, ...found) as Schema);

const text = merged(
  fc.constant({ type: 'string' }),
  maybe('minLength', small),
  maybe('maxLength', small),
  maybe('enum', fc.uniqueArray(fc.constantFrom('', 'x', 'xx'), { minLength: 1 })),
  maybe('nullable', fc.boolean()),
);
const numeric = merged(
  fc.constantFrom({ type: 'integer' }, { type: 'number' }, { 'x-kubernetes-int-or-string': true }),
  maybe('minimum', small),
  maybe('exclusiveMinimum', fc.boolean()),
  maybe('maximum', small),
  maybe('exclusiveMaximum', fc.boolean()),
  maybe('multipleOf', fc.constantFrom(1, 2, 4)),
  maybe('nullable', fc.boolean()),
);
const other = fc.constantFrom<Schema>(
  { type: 'boolean' },
  { 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'string', default: 'x' },
  { type: 'integer', default: 1 },
);

const schema = fc.letrec<{ any: Schema }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    other,
    text,
    numeric,
    merged(
      fc.constant({ type: 'array' }),
      fc.record({ items: tie('any') }),
      maybe('minItems', small),
      maybe('maxItems', small),
    ),
    merged(
      fc.constant({ type: 'object' }),
      fc.record({ additionalProperties: fc.oneof(tie('any'), fc.constant(true)) }),
      maybe('minProperties', small),
      maybe('maxProperties', small),
    ),
    merged(
      fc.constant({ type: 'object' }),
      fc.record({ properties: fc.dictionary(name, tie('any'), { maxKeys: 3 }) }),
      maybe('required', fc.uniqueArray(name)),
      maybe('x-kubernetes-preserve-unknown-fields', fc.constant(true)),
      maybe('nullable', fc.boolean()),
      maybe('maxProperties', small),
      maybe('minProperties', small),
    ),
  ),
})).any;

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('', 'x', 'xx', 0, 1, 2, 3, 1.5, true, null),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
})).any;

/** The same schema with one thing in it changed, at any depth. */
function changed(before: Schema): fc.Arbitrary<Schema> {
  const places: fc.Arbitrary<Schema>[] = [
    schema.map((after) => {
      const keyword = Object.keys(after).find((key) => after[key] !== before[key]);
      return keyword === undefined ? before : { ...before, [keyword]: after[keyword] };
    }),
    fc.constantFrom(...Object.keys(before)).map((keyword) => without(before, keyword)),
    merged(fc.constant(before), maybe('maximum', small), maybe('maxLength', small), maybe('minItems', small)),
  ];
  if (isSchema(before['items'])) {
    places.push(changed(before['items']).map((items) => ({ ...before, items })));
  }
  if (isSchema(before['properties'])) {
    const properties = before['properties'] as Readonly<Record<string, Schema>>;
    places.push(
      fc.tuple(name, schema).map(([key, added]) => ({ ...before, properties: { ...properties, [key]: added } })),
    );
    for (const [key, property] of Object.entries(properties)) {
      places.push(fc.constant({ ...before, properties: without(properties, key) }));
      places.push(changed(property).map((after) => ({ ...before, properties: { ...properties, [key]: after } })));
    }
  }
  return fc.oneof(...places).filter(isStructural);
}

/** API servers take no other schemas. */
function isStructural(found: Schema): boolean {
  const standard = found['default'];
  if (standard !== undefined && !accepts(found, standard)) return false;
  if (found['x-kubernetes-int-or-string'] === true) return found['type'] === undefined;
  if (found['properties'] !== undefined && found['additionalProperties'] !== undefined) return false;
  return found['type'] !== undefined || found['x-kubernetes-preserve-unknown-fields'] === true;
}

const object = schema.filter((found) => found['type'] === 'object' && 'properties' in found);
const holding = (it: Schema): Schema => ({ type: 'object', properties: { it } });

describe('the verdict on any two schemas', () => {
  it('is compatible when they are the same', () => {
    fc.assert(
      fc.property(schema, (it) => {
        expect(compareSchemas(holding(it), holding(structuredClone(it)))).toEqual([]);
      }),
    );
  });

  it('is never breaking only when every object that was valid stays valid and whole', { timeout: 120_000 }, () => {
    let kept = 0;
    const pair = object.chain((before) => fc.tuple(fc.constant(before), changed(before)));
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 20, maxLength: 40 }), ([before, after], values) => {
        fc.pre(verdictOf(compareSchemas(holding(before), holding(after))) !== 'breaking');
        for (const found of values) {
          const stored = pruned(before, found);
          if (!accepts(before, stored)) continue;
          kept += 1;

          expect(pruned(after, stored)).toEqual(stored);
          expect(accepts(after, stored)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(kept).toBeGreaterThan(100);
  });

  it('is breaking in one direction when a value is valid only under one of them', { timeout: 120_000 }, () => {
    const pair = schema.chain((before) => fc.tuple(fc.constant(before), changed(before)));
    fc.assert(
      fc.property(pair, value, ([before, after], found) => {
        const stored = pruned(before, found);
        fc.pre(accepts(before, stored) && !accepts(after, stored));

        expect(verdictOf(compareSchemas(holding(before), holding(after)))).toBe('breaking');
      }),
      { numRuns: 150 },
    );
  });
});

function isSchema(found: unknown): found is Schema {
  return typeof found === 'object' && found !== null;
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = record;
  return rest;
}
