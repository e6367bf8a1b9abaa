import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import { applyPatch } from './apply-patch.ts';
import { arbitraryObject, arbitrarySchema } from './arbitrary-schema.ts';
import { compare } from './compare.ts';
import { hasPath, intersection, listPaths, setOfOne } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { merge } from './merge.ts';
import { readOwners } from './owner.ts';
import { removeFields } from './remove.ts';
import { pathsOf, stored } from './sample-kind.ts';
import { trackUpdate } from './track-update.ts';
import { typeProblems } from './validate.ts';
import { compileType, type ValueType } from './value-type.ts';

const now = new Date('2030-01-01T00:00:00Z');
const later = new Date('2030-01-01T00:00:05Z');
const apiVersion = 'example.org/v1';
const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

/** A schema with some objects of it. */
function casesOf(count: number): fc.Arbitrary<{ schema: JsonSchema; objects: JsonObject[] }> {
  return arbitrarySchema().chain((schema) => {
    return fc.record({
      schema: fc.constant(schema),
      objects: fc.array(arbitraryObject(schema), { minLength: count, maxLength: count }),
    });
  });
}

const whole = (object: JsonObject): ApiObject => ({ ...object, apiVersion, kind: 'Foo', metadata: { name: 'x' } });
const scopeOf = (type: ValueType) => ({ apiVersion, kind: 'Foo', types: new Map([[apiVersion, type]]) });

describe('values of random structural schemas', () => {
  it('have no difference to themselves', () => {
    fc.assert(
      fc.property(casesOf(1), ({ schema, objects: [object = {}] }) => {
        const { removed, modified, added } = compare(compileType(schema), object, structuredClone(object));
        expect([...removed, ...modified, ...added]).toEqual([]);
      }),
    );
  });

  it('change in no field in two ways', () => {
    fc.assert(
      fc.property(casesOf(2), ({ schema, objects: [left = {}, right = {}] }) => {
        const { removed, modified, added } = compare(compileType(schema), left, right);
        expect(pathsOf(intersection(modified, added))).toEqual([]);
        expect(pathsOf(intersection(modified, removed))).toEqual([]);
      }),
    );
  });

  it('merge without an error, and the result has the shape of the schema', () => {
    fc.assert(
      fc.property(casesOf(2), ({ schema, objects: [live = {}, applied = {}] }) => {
        const type = compileType(schema);
        fc.pre(typeProblems(type, applied, { allowDuplicates: false }).length === 0);
        const merged = merge(type, live, applied);
        expect(typeProblems(type, merged, { allowDuplicates: true })).toEqual([]);
        expect(merge(type, merged, applied)).toEqual(merged);
      }),
    );
  });

  it('lose a field that is removed from them', () => {
    fc.assert(
      fc.property(casesOf(1), fc.nat(), ({ schema, objects: [object = {}] }, choice) => {
        const type = compileType(schema);
        const paths = listPaths(fieldSetOf(type, object));
        fc.pre(paths.length > 0);
        const path = paths[choice % paths.length] ?? [];
        const rest = removeFields(type, object, setOfOne(path));
        expect(hasPath(fieldSetOf(type, rest), path)).toBe(false);
      }),
    );
  });

  it('are looked at without an error, whatever they are', () => {
    fc.assert(
      fc.property(arbitrarySchema(), anyJson, (schema, value) => {
        const problems = typeProblems(compileType(schema), value, { allowDuplicates: false });
        expect(Array.isArray(problems)).toBe(true);
      }),
    );
  });
});

describe('writes to objects of random structural schemas', () => {
  it('are tracked without an error, whatever is written', () => {
    fc.assert(
      fc.property(casesOf(2), anyJson, ({ schema, objects: [first = {}, second = {}] }, garbage) => {
        const scope = scopeOf(compileType(schema));
        const live = stored(trackUpdate({ scope, updated: whole(first), manager: 'a', now }));
        for (const object of [second, { spec: garbage }]) {
          const { managedFields } = trackUpdate({
            scope,
            live,
            updated: whole(object),
            manager: 'b',
            now: later,
          }).metadata;
          expect(() => readOwners(managedFields)).not.toThrow();
        }
      }),
    );
  });

  it('change nothing when they are repeated by another', () => {
    fc.assert(
      fc.property(casesOf(1), ({ schema, objects: [object = {}] }) => {
        const scope = scopeOf(compileType(schema));
        const live = stored(trackUpdate({ scope, updated: whole(object), manager: 'a', now }));
        expect(trackUpdate({ scope, live, updated: structuredClone(live), manager: 'b', now: later })).toEqual(live);
      }),
    );
  });
});

describe('configurations of random structural schemas', () => {
  it('lead to an object, to conflicts or to a clear answer', () => {
    fc.assert(
      fc.property(casesOf(3), fc.boolean(), ({ schema, objects }, force) => {
        const scope = scopeOf(compileType(schema));
        let live: ApiObject | undefined;
        for (const [index, object] of objects.entries()) {
          const applied = whole(object) as unknown as Json;
          const result = attempt(() => applyPatch({ scope, live, applied, manager: `m${index % 2}`, force, now }));
          if (result !== undefined && 'object' in result) live = stored(result.object);
        }
      }),
    );
  });

  it('change nothing when they are applied again', () => {
    fc.assert(
      fc.property(casesOf(2), ({ schema, objects: [first = {}, second = {}] }) => {
        fc.pre(!holdsEmptyValue(second));
        const scope = scopeOf(compileType(schema));
        const live = stored(trackUpdate({ scope, updated: whole(first), manager: 'a', now }));
        const applied = whole(second) as unknown as Json;
        const once = attempt(() => applyPatch({ scope, live, applied, manager: 'b', force: true, now }));
        fc.pre(once !== undefined && 'object' in once);
        const object = stored((once as { object: ApiObject }).object);
        expect(applyPatch({ scope, live: object, applied, manager: 'b', force: false, now: later })).toEqual({
          object,
        });
      }),
    );
  });

  it('never conflict with what is already so', () => {
    fc.assert(
      fc.property(casesOf(1), ({ schema, objects: [object = {}] }) => {
        const scope = scopeOf(compileType(schema));
        const live = stored(trackUpdate({ scope, updated: whole(object), manager: 'a', now }));
        const applied = whole(object) as unknown as Json;
        const result = attempt(() => applyPatch({ scope, live, applied, manager: 'b', force: false, now }));
        expect(result === undefined || 'object' in result).toBe(true);
      }),
    );
  });
});

/** The outcome; undefined when the server would refuse the configuration. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Applying an empty value twice may remove what it stands for; that is how Kubernetes does it. */
function holdsEmptyValue(value: Json): boolean {
  if (typeof value !== 'object') return false;
  const values = value === null ? [] : Object.values(value);
  return values.length === 0 || values.some(holdsEmptyValue);
}
