import { describe, expect, it } from 'vitest';

import type { ApiObject, ManagedFieldsEntry } from '../objects/api-object.ts';
import { fieldSet } from './field-set.ts';
import { ownedIn, sample, sampleScope, sampleType, stored } from './sample-kind.ts';
import type { OwnershipScope } from './scope.ts';
import { trackUpdate } from './track-update.ts';

const now = new Date('2030-01-01T00:00:00.999Z');
const later = new Date('2030-01-01T00:00:05Z');
const scope = sampleScope();

const create = (object: ApiObject, manager = 'creator') =>
  stored(trackUpdate({ scope, updated: object, manager, now }));

function update(
  live: ApiObject,
  change: (copy: ApiObject & { spec: Record<string, unknown> }) => void,
  options: Partial<Options> = {},
) {
  const updated = structuredClone(live) as ApiObject & { spec: Record<string, unknown> };
  change(updated);
  return trackUpdate({ scope, live, updated, manager: 'updater', now: later, ...options });
}

interface Options {
  readonly scope: OwnershipScope;
  readonly manager: string;
}

describe('a created object', () => {
  it('belongs to its creator, except for what the server sets', () => {
    const metadata = {
      name: 'x',
      namespace: 'n',
      uid: 'u',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: 'now',
      labels: { a: '1' },
    };
    const created = trackUpdate({ scope, updated: { ...sample({ size: 1 }), metadata }, manager: 'creator', now });
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'creator',
        operation: 'Update',
        apiVersion: 'example.org/v1',
        time: '2030-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } }, 'f:spec': { '.': {}, 'f:size': {} } },
      },
    ]);
    expect({ ...created, metadata }).toEqual({ ...sample({ size: 1 }), metadata });
  });

  it('belongs to unknown when nobody says who created it', () => {
    expect(Object.keys(ownedIn(create(sample({ size: 1 }), '')))).toEqual(['unknown (Update)']);
  });

  it('has no entries when it has nothing to own', () => {
    const { spec: _, ...bare } = sample({});
    expect(create(bare).metadata.managedFields).toBeUndefined();
  });

  it('of a built-in kind does not belong to anyone where it is as blank as any other', () => {
    const builtIn = { blank: { metadata: {}, spec: { nested: {} }, status: {} } };
    const updated = { ...sample({ nested: { a: '1' }, size: 1 }), status: {} };
    const created = trackUpdate({ scope: { ...scope, builtIn }, updated, manager: 'creator', now });
    expect(ownedIn(created)).toEqual({ 'creator (Update)': ['.spec.size', '.spec.nested.a'] });
  });

  it('may come with managedFields, which lose what the creator sets', () => {
    const managedFields: ManagedFieldsEntry[] = [entry({ 'f:spec': { 'f:size': {}, 'f:text': {} } })];
    const created = create({ ...sample({ size: 1 }), metadata: { name: 'x', managedFields } });
    expect(ownedIn(created)).toEqual({
      'someone (Update)': ['.spec.text'],
      'creator (Update)': ['.spec', '.spec.size'],
    });
  });

  it('shares nothing it was given that it would change', () => {
    const updated = sample({ size: 1 });
    const given = JSON.stringify(updated);
    create(updated);
    expect(JSON.stringify(updated)).toBe(given);
  });

  it('may hold undefined in optional fields', () => {
    const updated = { ...sample({ size: 1 }), status: undefined, metadata: { name: 'x', labels: undefined } };
    expect(ownedIn(create(updated))).toEqual({ 'creator (Update)': ['.spec', '.spec.size'] });
  });
});

describe('an updated object', () => {
  const live = create(sample({ size: 1, text: 'a', set: ['a'], settings: { k: '1' } }));

  it('gives what changed to the updater, and takes it from others', () => {
    const updated = update(live, ({ spec }) => Object.assign(spec, { size: 2, set: ['b'], nested: { a: '1' } }));
    expect(ownedIn(updated)).toEqual({
      'creator (Update)': ['.spec', '.spec.set', '.spec.settings', '.spec.text', '.spec.settings.k'],
      'updater (Update)': ['.spec.nested', '.spec.size', '.spec.nested.a', '.spec.set[="b"]'],
    });
    const times = updated.metadata.managedFields?.map(({ time }) => time);
    expect(times).toEqual(['2030-01-01T00:00:00Z', '2030-01-01T00:00:05Z']);
  });

  it('is nobody’s where fields went', () => {
    const updated = update(live, ({ spec }) => {
      delete spec.settings;
      delete spec.size;
    });
    expect(ownedIn(updated)).toEqual({ 'creator (Update)': ['.spec', '.spec.set', '.spec.text', '.spec.set[="a"]'] });
  });

  it('adds to what the same updater had', () => {
    const once = stored(update(live, ({ spec }) => (spec.size = 2)));
    const twice = update(once, ({ spec }) => (spec.text = 'b'));
    expect(ownedIn(twice)['updater (Update)']).toEqual(['.spec.size', '.spec.text']);
  });

  it('stays as it is, times included, when nothing changes', () => {
    expect(update(live, () => {})).toEqual(live);
  });

  it('ignores changes of what the server sets', () => {
    const updated = update(live, ({ metadata }) => Object.assign(metadata, { generation: 5, resourceVersion: '9' }));
    expect(updated.metadata.managedFields).toEqual(live.metadata.managedFields);
  });

  it('loses entries that own nothing any more', () => {
    const replaced = update(live, (copy) => {
      copy.spec = { size: 2 };
      copy.metadata.labels = { a: '1' };
    });
    expect(Object.keys(ownedIn(replaced))).toEqual(['creator (Update)', 'updater (Update)']);
    const gone = update(stored(replaced), (copy) => {
      delete (copy as { spec?: unknown }).spec;
    });
    expect(Object.keys(ownedIn(gone))).toEqual(['updater (Update)']);
  });

  it('keeps entries of other managers as they were written', () => {
    const updated = update(live, ({ spec }) => (spec.nested = { a: '1' }));
    expect(updated.metadata.managedFields?.[0]).toEqual(live.metadata.managedFields?.[0]);
  });

  it('treats a new order of an atomic list as a change, of a set as none', () => {
    const before = create(sample({ list: ['a', 'b'], set: ['a', 'b'] }));
    const updated = update(before, ({ spec }) => Object.assign(spec, { list: ['b', 'a'], set: ['b', 'a'] }));
    expect(ownedIn(updated)['updater (Update)']).toEqual(['.spec.list']);
  });
});

describe('subresources', () => {
  const live = create(sample({ size: 1 }, { status: { phase: 'Ignored' } }));
  const status = sampleScope({ subresource: 'status' });

  it('cannot be owned through the object', () => {
    expect(ownedIn(live)).toEqual({ 'creator (Update)': ['.spec', '.spec.size'] });
    const updated = update(live, (copy) => (copy.status = { phase: 'Changed' }));
    expect(ownedIn(updated)).toEqual(ownedIn(live));
  });

  it('have entries of their own, without the fields of the object', () => {
    const change = (copy: ApiObject & { spec: Record<string, unknown> }) => {
      copy.status = { phase: 'Ready' };
      copy.spec.size = 99;
    };
    const updated = update(live, change, { scope: status, manager: 'creator' });
    expect(ownedIn(updated)).toEqual({
      'creator (Update)': ['.spec', '.spec.size'],
      'creator (Update, status)': ['.status.phase'],
    });
  });

  it('do not let clients write managedFields', () => {
    const updated = update(live, ({ metadata }) => (metadata.managedFields = [{}]), { scope: status });
    expect(updated.metadata.managedFields).toEqual(live.metadata.managedFields);
  });
});

describe('managedFields written by clients', () => {
  const live = create(sample({ size: 1 }));
  const builtIn = { ...scope, builtIn: { blank: {} } };
  const send = (managedFields: unknown, options: Partial<Options> = {}) =>
    update(
      live,
      (copy) => {
        copy.metadata.managedFields = managedFields as ManagedFieldsEntry[];
        copy.spec.size = 2;
      },
      options,
    );

  it('are reset by one empty entry, and not tracked from then on', () => {
    const reset = stored(send([{}]));
    expect(reset.metadata.managedFields).toBeUndefined();
    expect(update(reset, ({ spec }) => (spec.size = 3)).metadata.managedFields).toBeUndefined();
  });

  it('are reset by an empty list in built-in kinds only', () => {
    expect(send([], { scope: builtIn }).metadata.managedFields).toBeUndefined();
    expect(ownedIn(send([]))).toEqual({ 'creator (Update)': ['.spec'], 'updater (Update)': ['.spec.size'] });
  });

  it.each([undefined, null, [{ operation: 'Nonsense' }], [{ ...entry({}), fieldsV1: 'x' }]])(
    'are those of before when %j is sent',
    (managedFields) => {
      expect(ownedIn(send(managedFields))).toEqual({
        'creator (Update)': ['.spec'],
        'updater (Update)': ['.spec.size'],
      });
    },
  );

  it('take the place of those of before, in the form of the server', () => {
    const sent = [entry({ 'f:spec': { 'f:text': {}, 'f:size': {}, 'f:ports': { 'k:{ "port": 1 }': {} } } })];
    const updated = send(sent);
    expect(ownedIn(updated)).toEqual({
      'someone (Update)': ['.spec.text', '.spec.ports[port=1]'],
      'updater (Update)': ['.spec.size'],
    });
    expect(JSON.stringify(updated.metadata.managedFields?.[0]?.fieldsV1)).toBe(
      '{"f:spec":{"f:ports":{"k:{\\"port\\":1}":{}},"f:text":{}}}',
    );
  });

  it('are of no use when they are garbage in the stored object', () => {
    const broken = { ...live, metadata: { ...live.metadata, managedFields: [{ manager: 'x' }] } };
    expect(update(broken, ({ spec }) => (spec.size = 5)).metadata.managedFields).toBeUndefined();
  });
});

describe('what cannot be tracked', () => {
  it('is stored without managedFields', () => {
    const live = create(sample({ size: 1 }));
    expect(update(live, ({ spec }) => (spec.size = 'text')).metadata.managedFields).toBeUndefined();
    expect(update(live, ({ spec }) => (spec.unknown = 1)).metadata.managedFields).toBeUndefined();
    const outdated = { ...live, spec: { gone: 1 } };
    expect(update(outdated, ({ spec }) => (spec.size = 1)).metadata.managedFields).toBeUndefined();
  });

  it('are entries of a version that is gone: custom resources lose all entries, built-in kinds that one', () => {
    const old = entry({ 'f:spec': { 'f:text': {} } }, 'example.org/v0');
    const live = create(sample({ size: 1 }));
    const withOld = {
      ...live,
      metadata: { ...live.metadata, managedFields: [old, ...(live.metadata.managedFields ?? [])] },
    };
    const change = ({ spec }: { spec: Record<string, unknown> }) => (spec.size = 2);
    expect(update(withOld, change).metadata.managedFields).toBeUndefined();
    expect(ownedIn(update(withOld, change, { scope: { ...scope, builtIn: { blank: {} } } }))).toEqual({
      'creator (Update)': ['.spec'],
      'updater (Update)': ['.spec.size'],
    });
  });
});

describe('versions', () => {
  const live = create(sample({ size: 1, text: 'a' }));

  it('are compared as if there was one', () => {
    const v2 = sampleScope({ version: 'v2' });
    const updated = update(live, ({ spec }) => (spec.size = 2), { scope: v2 });
    expect(ownedIn(updated)).toEqual({
      'creator (Update)': ['.spec', '.spec.text'],
      'updater (Update, v2)': ['.spec.size'],
    });
  });

  it('have reset fields of their own', () => {
    const reset = new Map([['example.org/v1', fieldSet('spec.size')]]);
    const types = new Map([['example.org/v1', sampleType]]);
    const updated = update(live, ({ spec }) => Object.assign(spec, { size: 2, text: 'b' }), {
      scope: { ...scope, reset, types },
    });
    expect(ownedIn(updated)).toEqual({
      'creator (Update)': ['.spec', '.spec.size'],
      'updater (Update)': ['.spec.text'],
    });
  });
});

function entry(fieldsV1: ManagedFieldsEntry['fieldsV1'], apiVersion = 'example.org/v1'): ManagedFieldsEntry {
  return { manager: 'someone', operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1 };
}
