import { describe, expect, it } from 'vitest';

import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';
import { applyPatch, type ApplyPatchOptions } from './apply-patch.ts';
import { conflictError } from './conflict-error.ts';
import { ownedIn, sample, sampleScope, stored } from './sample-kind.ts';
import { trackUpdate } from './track-update.ts';
import { compileType } from './value-type.ts';

const now = new Date('2030-01-01T00:00:00Z');
const later = new Date('2030-01-01T00:00:05Z');

function attempt(
  live: ApiObject | undefined,
  manager: string,
  spec: JsonObject | undefined,
  options: Partial<ApplyPatchOptions> = {},
) {
  const scope = options.scope ?? sampleScope();
  const { apiVersion } = scope;
  const applied = { apiVersion, kind: 'Sample', metadata: { name: 'x' }, ...(spec === undefined ? {} : { spec }) };
  return applyPatch({ scope, live, applied, manager, force: false, now: later, ...options });
}

function apply(
  live: ApiObject | undefined,
  manager: string,
  spec: JsonObject | undefined,
  options: Partial<ApplyPatchOptions> = {},
) {
  const result = attempt(live, manager, spec, options);
  if ('conflicts' in result) throw conflictError(result.conflicts);
  return stored(result.object);
}

function conflictsOf(
  live: ApiObject,
  manager: string,
  spec: JsonObject,
  options: Partial<ApplyPatchOptions> = {},
): string {
  const result = attempt(live, manager, spec, options);
  return 'conflicts' in result ? conflictError(result.conflicts).message : 'none';
}

const create = (spec: JsonObject) =>
  stored(trackUpdate({ scope: sampleScope(), updated: sample(spec), manager: 'creator', now }));

describe('applying', () => {
  it('creates an object that is not there', () => {
    const created = apply(undefined, 'one', { size: 1, nested: { a: '1' } });
    expect(created).toMatchObject({
      apiVersion: 'example.org/v1',
      kind: 'Sample',
      metadata: { name: 'x' },
      spec: { size: 1, nested: { a: '1' } },
    });
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'example.org/v1',
        time: '2030-01-01T00:00:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:nested': { 'f:a': {} }, 'f:size': {} } },
      },
    ]);
  });

  it('starts from what objects of a built-in kind always have', () => {
    const scope = { ...sampleScope(), builtIn: { blank: { metadata: {}, spec: { nested: {} }, status: {} } } };
    expect(apply(undefined, 'one', { size: 1 }, { scope })).toMatchObject({
      spec: { size: 1, nested: {} },
      status: {},
    });
  });

  it('changes nothing, not even times, when all is already so', () => {
    const live = apply(undefined, 'one', { size: 1, set: ['a'] }, { now });
    expect(apply(live, 'one', { set: ['a'], size: 1 })).toEqual(live);
  });

  it('adds, changes and removes what the applier owns', () => {
    const live = apply(undefined, 'one', { size: 1, text: 'a', settings: { k: '1', l: '2' }, list: ['a'] }, { now });
    const changed = apply(live, 'one', { size: 2, settings: { k: '1' }, nested: { a: '1' } });
    expect(changed.spec).toEqual({ size: 2, settings: { k: '1' }, nested: { a: '1' } });
    expect(ownedIn(changed)).toEqual({ 'one (Apply)': ['.spec.size', '.spec.nested.a', '.spec.settings.k'] });
    expect(changed.metadata.managedFields?.[0]?.time).toBe('2030-01-01T00:00:05Z');
  });

  it('removes whole branches of which it owned all', () => {
    const live = apply(undefined, 'one', { size: 1, nested: { deeper: { b: 'x' } } });
    expect(apply(live, 'one', { size: 1 }).spec).toEqual({ size: 1 });
    expect(apply(live, 'one', undefined).spec).toBeUndefined();
  });

  it('leaves what others own, and what nobody owns', () => {
    const live = apply(create({ size: 1, settings: { k: '1' } }), 'one', { settings: { l: '2' }, text: 'a' });
    const next = apply(live, 'one', {});
    expect(next.spec).toEqual({ size: 1, settings: { k: '1' } });
    expect(ownedIn(next)).toEqual({
      'creator (Update)': ['.spec', '.spec.settings', '.spec.size', '.spec.settings.k'],
      'one (Apply)': ['.spec'],
    });
  });

  it('does not share what it returns with what it was given', () => {
    const live = create({ nested: { a: '1' } });
    const given = JSON.stringify(live);
    for (const spec of [{}, { nested: { a: '1' } }, { nested: { deeper: { b: '2' } } }] as Json[]) {
      const applied: Json = { apiVersion: 'example.org/v1', kind: 'Sample', metadata: { labels: { a: '1' } }, spec };
      const before = JSON.stringify(applied);
      const result = apply(live, 'one', {}, { applied }) as ApiObject & { spec: { nested: JsonObject } };
      result.spec.nested.a = 'changed';
      (result.metadata.labels ??= {}).a = 'changed';
      expect(JSON.stringify([live, applied])).toBe(`[${given},${before}]`);
    }
  });
});

describe('conflicts', () => {
  const live = apply(create({ size: 1, text: 'a', list: ['a'] }), 'one', { settings: { k: '1' } });

  it('arise where someone else owns another value', () => {
    expect(conflictsOf(live, 'two', { size: 2 })).toBe(
      'Apply failed with 1 conflict: conflict with "creator" using example.org/v1: .spec.size',
    );
    expect(conflictsOf(live, 'two', { list: ['a', 'b'], settings: { k: '2', l: '1' } })).toBe(
      'Apply failed with 2 conflicts: conflicts with "creator" using example.org/v1:\n- .spec.list\nconflicts with "one":\n- .spec.settings.k',
    );
  });

  it('do not arise where the value is the same: then both own it', () => {
    const shared = apply(live, 'two', { size: 1, settings: { k: '1' } });
    expect(shared.spec).toEqual(live.spec);
    expect(ownedIn(shared)).toMatchObject({
      'creator (Update)': expect.arrayContaining(['.spec.size']) as string[],
      'one (Apply)': ['.spec.settings.k'],
      'two (Apply)': ['.spec.size', '.spec.settings.k'],
    });
  });

  it('leave an entry without a time when nothing but ownership changed', () => {
    const shared = apply(live, 'two', { size: 1 });
    const entry = shared.metadata.managedFields?.find(({ manager }) => manager === 'two');
    expect(entry).not.toHaveProperty('time');
  });

  it('do not arise with oneself, not even as updater of the same name with an equal value', () => {
    const mine = apply(live, 'creator', { size: 1 });
    expect(ownedIn(mine)['creator (Apply)']).toEqual(['.spec.size']);
    expect(conflictsOf(live, 'creator', { size: 2 })).toContain('conflict with "creator" using example.org/v1');
  });

  it('give way to force', () => {
    const forced = apply(live, 'two', { size: 2, settings: { k: '2' } }, { force: true });
    expect(forced.spec).toMatchObject({ size: 2, settings: { k: '2' } });
    expect(ownedIn(forced)).toEqual({
      'creator (Update)': ['.spec', '.spec.list', '.spec.text'],
      'two (Apply)': ['.spec.size', '.spec.settings.k'],
    });
  });

  it('are over once the other lets go', () => {
    const one = apply(undefined, 'one', { size: 1, text: 'a' });
    const two = apply(one, 'two', { size: 1 });
    const alone = apply(two, 'one', { text: 'a' });
    expect(alone.spec).toEqual({ size: 1, text: 'a' });
    expect(apply(alone, 'two', { size: 5 }).spec).toEqual({ size: 5, text: 'a' });
  });
});

describe('shared lists and objects', () => {
  it('hold the items of all who apply them, until the last lets go', () => {
    const one = apply(undefined, 'one', { set: ['a', 'b'] });
    const two = apply(one, 'two', { set: ['b', 'c'] });
    expect(two.spec).toEqual({ set: ['a', 'b', 'c'] });
    const without = apply(two, 'one', {});
    expect(without.spec).toEqual({ set: ['b', 'c'] });
    expect(apply(without, 'two', { set: ['c'] }).spec).toEqual({ set: ['c'] });
  });

  it('merge items with keys field by field', () => {
    const one = apply(undefined, 'one', { ports: [{ port: 80, name: 'web' }] });
    const two = apply(one, 'two', {
      ports: [
        { port: 80, protocol: 'TCP', tags: ['x'] },
        { port: 53, protocol: 'UDP' },
      ],
    });
    expect(two.spec).toEqual({
      ports: [
        { port: 80, name: 'web', protocol: 'TCP', tags: ['x'] },
        { port: 53, protocol: 'UDP' },
      ],
    });
    expect(apply(two, 'one', {}).spec).toEqual({
      ports: [
        { port: 80, protocol: 'TCP', tags: ['x'] },
        { port: 53, protocol: 'UDP' },
      ],
    });
  });

  it('are owned as a whole when they are atomic', () => {
    const one = apply(undefined, 'one', { color: { r: 1 }, list: ['a'] });
    expect(conflictsOf(one, 'two', { color: { g: 1 } })).toContain('.spec.color');
    expect(apply(one, 'two', { list: ['b'] }, { force: true }).spec).toEqual({ color: { r: 1 }, list: ['b'] });
  });

  it('may have content that no schema knows', () => {
    const one = apply(undefined, 'one', { free: { a: { b: 1 }, l: [1] } });
    const two = apply(one, 'two', { free: { a: { c: 2 } } });
    expect(two.spec).toEqual({ free: { a: { b: 1, c: 2 }, l: [1] } });
    expect(apply(two, 'one', {}).spec).toEqual({ free: { a: { c: 2 } } });
  });
});

describe('objects that nobody has tracked', () => {
  const untracked = stored(sample({ size: 1, text: 'a' }));

  it('belong to before-first-apply', () => {
    const applied = apply(untracked, 'one', { text: 'a', set: ['x'] });
    expect(ownedIn(applied)).toEqual({
      'one (Apply)': ['.spec.text', '.spec.set[="x"]'],
      'before-first-apply (Update)': ['.spec', '.spec.size', '.spec.text'],
    });
    expect(conflictsOf(untracked, 'one', { size: 2 })).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.org/v1: .spec.size',
    );
  });
});

describe('subresources', () => {
  const status = sampleScope({ subresource: 'status' });
  const live = { ...create({ size: 1 }), status: { phase: 'A' } };
  const configuration = (rest: JsonObject): Json => ({ apiVersion: 'example.org/v1', kind: 'Sample', ...rest });

  it('have entries of their own, without the fields of the object', () => {
    const applied = configuration({ status: { phase: 'B' }, spec: { size: 9 } });
    const result = apply(live, 'one', {}, { scope: status, applied });
    expect(ownedIn(result)['one (Apply, status)']).toEqual(['.status.phase']);
    // What the endpoint cannot change is for the caller to put back.
    expect(result).toMatchObject({ status: { phase: 'B' }, spec: { size: 9 } });
  });

  it('do not conflict with what the object’s endpoint owns', () => {
    const applied = configuration({ spec: { size: 9 } });
    expect('conflicts' in attempt(live, 'one', {}, { scope: status, applied })).toBe(false);
  });

  it('are named in conflicts', () => {
    const updated = { ...live, status: { phase: 'C' } };
    const controlled = stored(trackUpdate({ scope: status, live, updated, manager: 'controller', now }));
    expect(
      conflictsOf(controlled, 'one', {}, { scope: status, applied: configuration({ status: { phase: 'D' } }) }),
    ).toBe(
      'Apply failed with 1 conflict: conflict with "controller" with subresource "status" using example.org/v1: .status.phase',
    );
  });
});

describe('versions', () => {
  const v2 = sampleScope({ version: 'v2' });
  const live = apply(undefined, 'one', { size: 1, text: 'a' });

  it('conflict with each other', () => {
    expect(conflictsOf(live, 'two', { size: 2 }, { scope: v2 })).toContain('conflict with "one": .spec.size');
  });

  it('may change from one apply to the next; what is no longer applied goes', () => {
    const changed = apply(live, 'one', { size: 1 }, { scope: v2 });
    expect(changed.spec).toEqual({ size: 1 });
    expect(ownedIn(changed)).toEqual({ 'one (Apply, v2)': ['.spec.size'] });
  });

  it('of another owner keep what they own', () => {
    const two = apply(live, 'two', { text: 'a' }, { scope: v2 });
    expect(apply(two, 'one', { size: 1 }).spec).toEqual({ size: 1, text: 'a' });
  });

  it('that are gone make it impossible to apply to custom resources', () => {
    const gone = structuredClone(live);
    gone.metadata.managedFields?.push({
      manager: 'old',
      operation: 'Update',
      apiVersion: 'example.org/v0',
      fieldsType: 'FieldsV1',
    });
    expect(refusal(() => apply(gone, 'one', {}))).toMatchObject({
      code: 500,
      message: 'request to convert CR to an invalid group/version: example.org/v0',
    });
    const builtIn = { ...sampleScope(), builtIn: { blank: {} } };
    expect(Object.keys(ownedIn(apply(gone, 'one', { size: 1 }, { scope: builtIn })))).toEqual(['one (Apply)']);
  });

  it('with another schema must be able to hold the object', () => {
    const narrow = compileType({
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
    });
    const scope = { ...sampleScope(), types: new Map([...sampleScope().types, ['example.org/v3', narrow] as const]) };
    const small = apply(undefined, 'one', { size: 1 }, { scope: { ...scope, apiVersion: 'example.org/v3' } });
    const inV1 = { ...small, apiVersion: 'example.org/v1' };
    expect(refusal(() => apply(inV1, 'two', { text: 'x' }, { scope }))).toMatchObject({
      code: 500,
      message: 'failed to convert new object: .spec.text: field not declared in schema',
    });
    const grown = { ...inV1, spec: { size: 1, text: 'x' } };
    expect(refusal(() => apply(grown, 'two', { size: 1 }, { scope }))).toMatchObject({
      code: 500,
      message: '.spec.text: field not declared in schema',
    });
  });
});

describe('what is no configuration', () => {
  const live = create({ size: 1 });
  const whole: Json = { apiVersion: 'example.org/v1', kind: 'Sample', metadata: { name: 'x' } };

  it.each<{ applied: Json; message: string }>([
    { applied: null, message: 'invalid object type: /, Kind=' },
    { applied: [], message: 'invalid object type: /, Kind=' },
    { applied: { metadata: {} }, message: 'invalid object type: /, Kind=' },
    { applied: { ...whole, kind: 'Other' }, message: 'invalid object type: example.org/v1, Kind=Other' },
    { applied: { ...whole, apiVersion: 'v1' }, message: 'invalid object type: /v1, Kind=Sample' },
    { applied: { ...whole, apiVersion: 'a/b/c' }, message: 'invalid object type: /, Kind=' },
    { applied: { ...whole, apiVersion: 5 }, message: 'invalid object type: /, Kind=Sample' },
    { applied: { ...whole, metadata: { managedFields: [] } }, message: 'metadata.managedFields must be nil' },
  ])('is a bad request: $message', ({ applied, message }) => {
    expect(refusal(() => apply(live, 'one', {}, { applied }))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message,
    });
  });

  it.each<{ applied: Json; problem: string }>([
    {
      applied: { ...whole, other: 1 },
      problem: '(/x; example.org/v1, Kind=Sample): .other: field not declared in schema',
    },
    {
      applied: { ...whole, metadata: 'x' },
      problem: '(/; example.org/v1, Kind=Sample): .metadata: expected map, got &{x}',
    },
    {
      applied: { ...whole, metadata: { name: 'x', namespace: 'n' }, spec: { set: ['a', 'a'] } },
      problem: '(n/x; example.org/v1, Kind=Sample): .spec.set: duplicate entries for key [="a"]',
    },
  ])('has another shape: $problem', ({ applied, problem }) => {
    expect(refusal(() => apply(live, 'one', {}, { applied }))).toMatchObject({
      code: 500,
      reason: '',
      message: `failed to create typed patch object ${problem}`,
    });
  });

  it('cannot be merged into an object of another shape', () => {
    const odd = { ...live, spec: { size: 'text' } };
    expect(refusal(() => apply(odd, 'one', {})).message).toBe(
      'failed to create typed live object (/x; example.org/v1, Kind=Sample): .spec.size: expected numeric (int or float), got string',
    );
    const untracked = { ...odd, metadata: { name: 'x', uid: 'u' } };
    expect(refusal(() => apply(untracked, 'one', {})).message).toBe(
      'failed to create manager for existing fields: failed to convert new object (/x; example.org/v1, Kind=Sample) to smd typed: .spec.size: expected numeric (int or float), got string',
    );
  });

  it('cannot be merged with owners nobody can read', () => {
    const odd = { ...live, metadata: { ...live.metadata, managedFields: [{ manager: 'x' }] } };
    expect(refusal(() => apply(odd, 'one', {})).message).toBe(
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    );
  });

  it('may say that managedFields are null, and have no metadata', () => {
    const applied = { ...whole, metadata: { managedFields: null } };
    expect(apply(live, 'one', {}, { applied }).metadata.managedFields).toEqual(live.metadata.managedFields);
    const bare = { apiVersion: 'example.org/v1', kind: 'Sample' };
    expect(apply(undefined, 'one', {}, { applied: bare }).metadata).toEqual({ uid: 'uid' });
  });
});

function refusal(action: () => unknown): StatusError {
  try {
    action();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}
