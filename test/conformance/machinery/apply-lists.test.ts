import { expect } from 'vitest';
import { anySchema, install, objectOf } from '../definition.ts';
import { maskedWithManagers } from '../mask.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, type Refusal, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-apply-lists';
const group = 'apply.conf.example';
const items = inNamespace(`${group}/v1/shelfs`, namespace);

const byName = (extra: object = {}) => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: objectOf(
    { name: { type: 'string' }, size: { type: 'integer' }, color: { type: 'string' } },
    { required: ['name'] },
  ),
  ...extra,
});

const spec = objectOf({
  size: { type: 'integer' },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
  plain: { type: 'array', items: { type: 'string' } },
  byName: byName(),
  byTwo: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    items: objectOf(
      { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: { type: 'string' } },
      { required: ['port'] },
    ),
  },
  granular: { type: 'object', additionalProperties: { type: 'string' } },
  frozen: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
  nested: objectOf({ a: { type: 'string' }, b: { type: 'string' } }),
  free: anySchema,
});
const status = objectOf({ phase: { type: 'string' }, seen: { type: 'integer' } });
const schema = objectOf({ spec, status });

const shelf = (name: string, spec: object) => ({ apiVersion: `${group}/v1`, kind: 'Shelf', metadata: { name }, spec });

/** What one manager applies, what another one then applies, and what comes out. */
const merges: readonly (readonly [title: string, first: object, second: object, merged: object])[] = [
  ['unites the items of a set', { set: ['b', 'a'] }, { set: ['c', 'a'] }, { set: ['b', 'c', 'a'] }],
  [
    'unites the items of a map list by their key',
    { byName: [{ name: 'x', size: 1 }] },
    { byName: [{ name: 'y' }, { name: 'x', color: 'red' }] },
    { byName: [{ name: 'y' }, { color: 'red', name: 'x', size: 1 }] },
  ],
  [
    'tells items apart by all keys',
    { byTwo: [{ port: 1, protocol: 'UDP' }] },
    { byTwo: [{ port: 1, protocol: 'TCP', name: 'n' }] },
    {
      byTwo: [
        { port: 1, protocol: 'UDP' },
        { name: 'n', port: 1, protocol: 'TCP' },
      ],
    },
  ],
  [
    'completes a missing key by its default',
    { byTwo: [{ port: 1 }] },
    { byTwo: [{ port: 1, protocol: 'TCP', name: 'n' }] },
    { byTwo: [{ name: 'n', port: 1, protocol: 'TCP' }] },
  ],
  ['unites the keys of a map', { granular: { a: '1' } }, { granular: { b: '2' } }, { granular: { a: '1', b: '2' } }],
  ['unites the fields of an object', { nested: { a: '1' } }, { nested: { b: '2' } }, { nested: { a: '1', b: '2' } }],
  [
    'unites what has no schema key by key',
    { free: { a: 1, list: [1] } },
    { free: { b: 2 } },
    { free: { a: 1, b: 2, list: [1] } },
  ],
];

/** What one manager applies, what another one then tries, and the field they fight over. */
const conflicts: readonly (readonly [title: string, first: object, second: object, message: string])[] = [
  ['a scalar', { size: 1 }, { size: 2 }, 'Apply failed with 1 conflict: conflict with "one": .spec.size'],
  [
    'an atomic list as a whole',
    { atomic: ['a'] },
    { atomic: ['a', 'b'] },
    'Apply failed with 1 conflict: conflict with "one": .spec.atomic',
  ],
  [
    'a list without type as a whole',
    { plain: ['a'] },
    { plain: ['b'] },
    'Apply failed with 1 conflict: conflict with "one": .spec.plain',
  ],
  [
    'an atomic map as a whole',
    { frozen: { a: '1' } },
    { frozen: { b: '2' } },
    'Apply failed with 1 conflict: conflict with "one": .spec.frozen',
  ],
  [
    'a field of an item of a map list',
    { byName: [{ name: 'x', size: 1 }] },
    { byName: [{ name: 'x', size: 2 }] },
    'Apply failed with 1 conflict: conflict with "one": .spec.byName[name="x"].size',
  ],
  [
    'a field of an item with two keys',
    { byTwo: [{ port: 1, name: 'a' }] },
    { byTwo: [{ port: 1, name: 'b' }] },
    'Apply failed with 1 conflict: conflict with "one": .spec.byTwo[port=1,protocol="TCP"].name',
  ],
  [
    'a key of a map',
    { granular: { 'x.io/a': '1' } },
    { granular: { 'x.io/a': '2' } },
    'Apply failed with 1 conflict: conflict with "one": .spec.granular.x.io/a',
  ],
  [
    'a list in what has no schema',
    { free: { list: [1] } },
    { free: { list: [2] } },
    'Apply failed with 1 conflict: conflict with "one": .spec.free.list',
  ],
];

const refusals: readonly (readonly [title: string, spec: object, refusal: Refusal])[] = [
  [
    'twice the same item of a set',
    { set: ['a', 'a'] },
    refusal(
      500,
      undefined,
      'failed to create typed patch object (/refused; apply.conf.example/v1, Kind=Shelf): .spec.set: duplicate entries for key [="a"]',
    ),
  ],
  [
    'twice the same key in a map list',
    { byName: [{ name: 'x' }, { name: 'x' }] },
    refusal(
      500,
      undefined,
      'failed to create typed patch object (/refused; apply.conf.example/v1, Kind=Shelf): .spec.byName: duplicate entries for key [name="x"]',
    ),
  ],
  [
    'an item without its key',
    { byName: [{ size: 1 }] },
    refusal(
      500,
      undefined,
      'failed to create typed patch object (/refused; apply.conf.example/v1, Kind=Shelf): .spec.byName: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ),
  ],
  [
    'a field that the schema does not have',
    { unicorn: 1 },
    refusal(
      500,
      undefined,
      'failed to create typed patch object (/refused; apply.conf.example/v1, Kind=Shelf): .spec.unicorn: field not declared in schema',
    ),
  ],
  [
    'a value of the wrong type',
    { size: 'big' },
    refusal(
      500,
      undefined,
      'failed to create typed patch object (/refused; apply.conf.example/v1, Kind=Shelf): .spec.size: expected numeric (int or float), got string',
    ),
  ],
];

conformance('server-side apply: lists and maps', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await install(admin, { group, kind: 'Shelf', schema, version: { subresources: { status: {} } } });
  });

  for (const [index, [title, first, second, expected]] of merges.entries()) {
    check(title, async ({ admin }) => {
      const name = `merged-${index}`;
      await admin.apply(items(name), 'one', shelf(name, first));
      const { status, body } = await admin.apply(items(name), 'two', shelf(name, second));

      expect([status, body.spec]).toEqual([200, expected]);
    });
  }

  for (const [index, [title, first, second, expected]] of conflicts.entries()) {
    check(`meets a conflict over ${title}`, async ({ admin }) => {
      const name = `conflict-${index}`;
      await admin.apply(items(name), 'one', shelf(name, first));
      const { status, body } = await admin.apply(items(name), 'two', shelf(name, second));

      expect([status, body.message]).toEqual([409, expected]);
    });
  }

  for (const [title, spec, expected] of refusals) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.apply(items('refused'), 'one', shelf('refused', spec)), expected);
    });
  }

  check('removes from each list what its manager no longer applies', async ({ admin }) => {
    const one = {
      set: ['a', 'b'],
      byName: [
        { name: 'x', size: 1 },
        { name: 'y', size: 2 },
      ],
      granular: { a: '1' },
      nested: { a: '1' },
      atomic: ['a'],
    };
    await admin.apply(items('less'), 'one', shelf('less', one));
    await admin.apply(items('less'), 'two', shelf('less', { set: ['b', 'c'], byName: [{ name: 'x', color: 'red' }] }));
    const { body } = await admin.apply(items('less'), 'one', shelf('less', { set: ['a'] }));

    expect(body.spec).toEqual({ byName: [{ color: 'red', name: 'x' }], set: ['a', 'b', 'c'] });
  });

  check('records every kind of list in managed fields', async ({ admin }) => {
    const spec = {
      size: 1,
      set: ['a'],
      atomic: ['a'],
      byName: [{ name: 'x', size: 1 }],
      byTwo: [{ port: 1 }],
      granular: { a: '1' },
      frozen: { a: '1' },
      nested: { a: '1' },
      free: { a: { b: 1 }, list: [1] },
    };
    const { body } = await admin.apply(items('recorded'), 'one', shelf('recorded', spec));

    expect(body.metadata.managedFields?.[0]?.fieldsV1).toEqual({
      'f:spec': {
        'f:atomic': {},
        'f:byName': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:size': {} } },
        'f:byTwo': { 'k:{"port":1,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
        'f:free': { 'f:a': { '.': {}, 'f:b': {} }, 'f:list': {} },
        'f:frozen': {},
        'f:granular': { 'f:a': {} },
        'f:nested': { 'f:a': {} },
        'f:set': { 'v:"a"': {} },
        'f:size': {},
      },
    });
  });

  check('takes over an item of a list by force', async ({ admin }) => {
    await admin.apply(items('forced'), 'one', shelf('forced', { byName: [{ name: 'x', size: 1 }] }));
    const { body } = await admin.apply(items('forced'), 'two', shelf('forced', { byName: [{ name: 'x', size: 2 }] }), {
      force: true,
    });

    expect(body.spec).toEqual({ byName: [{ name: 'x', size: 2 }] });
    expect(body.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['one', { 'f:spec': { 'f:byName': { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } } } }],
      ['two', { 'f:spec': { 'f:byName': { 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:size': {} } } } }],
    ]);
  });

  check('keeps the order in which the applier lists items', async ({ admin }) => {
    await admin.apply(items('order'), 'one', shelf('order', { byName: [{ name: 'c' }, { name: 'a' }, { name: 'b' }] }));
    const { body } = await admin.apply(
      items('order'),
      'one',
      shelf('order', { byName: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] }),
    );

    expect((body.spec.byName as { name: string }[]).map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  });

  check('owns status and spec separately', async ({ admin }) => {
    await admin.apply(items('parts'), 'one', { ...shelf('parts', { size: 1 }), status: { seen: 1 } });
    const { status, body } = await admin.apply(`${items('parts')}/status`, 'one', {
      ...shelf('parts', { size: 9 }),
      status: { phase: 'Up' },
    });

    expect([status, body.spec, body.status]).toEqual([200, { size: 1 }, { phase: 'Up' }]);
    expect(maskedWithManagers(body.metadata.managedFields)).toEqual([
      {
        apiVersion: 'apply.conf.example/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:size': {} } },
        manager: 'one',
        operation: 'Apply',
        time: '<time>',
      },
      {
        apiVersion: 'apply.conf.example/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:status': { 'f:phase': {} } },
        manager: 'one',
        operation: 'Apply',
        subresource: 'status',
        time: '<time>',
      },
    ]);
  });

  check('counts up the generation when the spec changes, not for metadata', async ({ admin }) => {
    const first = await admin.apply(items('generation'), 'one', shelf('generation', { size: 1 }));
    const labelled = { ...shelf('generation', { size: 1 }), metadata: { name: 'generation', labels: { a: '1' } } };
    const second = await admin.apply(items('generation'), 'one', labelled);
    const third = await admin.apply(items('generation'), 'one', shelf('generation', { size: 2 }));

    expect([first, second, third].map(({ body }) => body.metadata.generation)).toEqual([1, 1, 2]);
  });

  check('refuses null for a value', async ({ admin }) => {
    await admin.apply(items('null'), 'one', shelf('null', { size: 1, nested: { a: '1' } }));
    const { status, body } = await admin.apply(items('null'), 'one', shelf('null', { size: null, nested: { a: '1' } }));

    expect([status, body.spec ?? body.message]).toEqual([
      422,
      'Shelf.apply.conf.example "null" is invalid: spec.size: Invalid value: "null": spec.size in body must be of type integer: "null"',
    ]);
  });
});
