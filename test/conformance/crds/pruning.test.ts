import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { crds, definition, install, objectOf, specOf } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-pruning';
const group = 'pruning.conf.example';
const string = { type: 'string' };
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };

conformance(
  'unknown fields and defaults of a custom kind',
  ({ check, prepare }) => {
    prepare((server) => server.createNamespace(namespace));
    const at = (plural: string) => inNamespace(`${group}/v1/${plural}`, namespace);
    const object = (kind: string, name: string, spec: unknown, more: object = {}) => ({
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name },
      spec,
      ...more,
    });

    check('are dropped, unless the schema keeps them', async ({ admin }) => {
      const schema = specOf({
        known: string,
        object: objectOf({ a: string }),
        list: { type: 'array', items: objectOf({ a: string }) },
        map: { type: 'object', additionalProperties: objectOf({ a: string }) },
        kept: { type: 'object', ...preserve },
        partly: objectOf({ a: objectOf({ b: string }) }, preserve),
        any: preserve,
      });
      await install(admin, { group, kind: 'Pruned', schema });
      const spec = {
        known: 'x',
        unknown: 1,
        object: { a: 'x', b: 1 },
        list: [{ a: 'x', b: 1 }],
        map: { k: { a: 'x', b: 1 } },
        kept: { deep: { er: 1 } },
        partly: { a: { b: 'x', c: 1 }, d: 1 },
        any: [1, { a: 1 }],
      };
      const { body } = await admin.post(
        `${at('pruneds')()}?fieldValidation=Ignore`,
        object('Pruned', 'x', spec, { top: 1 }),
      );

      expect([body.spec, body.top]).toEqual([
        {
          any: [1, { a: 1 }],
          kept: { deep: { er: 1 } },
          known: 'x',
          list: [{ a: 'x' }],
          map: { k: { a: 'x' } },
          object: { a: 'x' },
          partly: { a: { b: 'x' }, d: 1 },
        },
        undefined,
      ]);
    });

    check('are dropped by updates and patches too', async ({ admin }) => {
      await install(admin, { group, kind: 'Trimmed', schema: specOf({ a: string }) });
      await admin.create(at('trimmeds')(), object('Trimmed', 'x', { a: '1' }));
      const put = await admin.put(at('trimmeds')('x'), {
        ...object('Trimmed', 'x', { a: '2', b: 1 }),
        metadata: { name: 'x', resourceVersion: (await admin.get(at('trimmeds')('x'))).body.metadata.resourceVersion },
      });
      const patched = await admin.patch('merge', at('trimmeds')('x'), { spec: { c: 1 } });

      expect([put.status, put.body.spec, patched.status, patched.body.spec]).toEqual([
        200,
        { a: '2' },
        200,
        { a: '2' },
      ]);
    });

    check('must be replaced with a version in hand', async ({ admin }) => {
      await install(admin, { group, kind: 'Versioned' });
      await admin.create(at('versioneds')(), object('Versioned', 'x', {}));

      expectRefusal(
        await admin.put(at('versioneds')('x'), object('Versioned', 'x', { a: 1 })),
        invalid({ group: 'pruning.conf.example', kind: 'versioneds' }, 'x', [
          ['metadata.resourceVersion', 'FieldValueInvalid', 'Invalid value: 0: must be specified for an update'],
        ]),
      );
    });

    const defaults = specOf({
      text: { type: 'string', default: 'd' },
      object: { ...objectOf({ a: { type: 'string', default: 'da' }, b: string }), default: {} },
      absent: objectOf({ a: { type: 'string', default: 'da' } }),
      list: { type: 'array', items: objectOf({ a: { type: 'integer', default: 7 } }) },
      map: { type: 'object', additionalProperties: objectOf({ a: { type: 'integer', default: 7 } }) },
      nullable: { type: 'string', nullable: true, default: 'n' },
      list2: { type: 'array', items: string, default: ['x'] },
      zero: { type: 'integer', default: 0 },
      off: { type: 'boolean', default: false },
    });

    check('are filled in where they are missing', async ({ admin }) => {
      await install(admin, { group, kind: 'Filled', schema: defaults });
      const { body } = await admin.post(
        at('filleds')(),
        object('Filled', 'x', { list: [{}, { a: 1 }], map: { k: {} } }),
      );
      const { body: bare } = await admin.post(at('filleds')(), {
        apiVersion: `${group}/v1`,
        kind: 'Filled',
        metadata: { name: 'bare' },
      });

      expect([body.spec, bare.spec]).toEqual([
        {
          list: [{ a: 7 }, { a: 1 }],
          list2: ['x'],
          map: { k: { a: 7 } },
          nullable: 'n',
          object: { a: 'da' },
          off: false,
          text: 'd',
          zero: 0,
        },
        undefined,
      ]);
    });

    check('do not replace what is there, but do replace null', async ({ admin }) => {
      await install(admin, { group, kind: 'Present', schema: defaults });
      const { body } = await admin.post(
        at('presents')(),
        object('Present', 'x', { text: '', object: { b: 'x' }, zero: 5, off: true, list2: [], nullable: null }),
      );
      const { body: nulls } = await admin.post(
        at('presents')(),
        object('Present', 'nulls', { text: null, object: null, list2: null }),
      );

      expect([body.spec, nulls.spec]).toEqual([
        { list2: [], nullable: null, object: { a: 'da', b: 'x' }, off: true, text: '', zero: 5 },
        { list2: ['x'], nullable: 'n', object: { a: 'da' }, off: false, text: 'd', zero: 0 },
      ]);
    });

    check('are filled in again when a field is removed', async ({ admin }) => {
      await install(admin, { group, kind: 'Restored', schema: specOf({ text: { type: 'string', default: 'd' } }) });
      await admin.create(at('restoreds')(), object('Restored', 'x', { text: 'mine' }));
      const { body } = await admin.patch('merge', at('restoreds')('x'), { spec: { text: null } });

      expect(body.spec).toEqual({ text: 'd' });
    });

    check('do not belong to the one who applied without them', async ({ admin }) => {
      await install(admin, {
        group,
        kind: 'Unowned',
        schema: specOf({ text: { type: 'string', default: 'd' }, a: string }),
      });
      const { body } = await admin.apply(at('unowneds')('x'), 'one', object('Unowned', 'x', { a: '1' }));

      expect([body.spec, body.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)]).toEqual([
        { a: '1', text: 'd' },
        [{ 'f:spec': { 'f:a': {} } }],
      ]);
    });

    check('of a changed schema hold for stored objects too', async ({ admin }) => {
      await install(admin, { group, kind: 'Later', schema: specOf({ a: string, gone: string }) });
      const stored = await admin.create(at('laters')(), object('Later', 'x', { a: '1', gone: '2' }));
      const changed = definition({
        group,
        kind: 'Later',
        schema: specOf({ a: string, b: { type: 'string', default: 'd' } }),
      });
      await admin.patch('merge', crds(`laters.${group}`), { spec: changed.spec });

      const read = await eventually(
        async () => {
          const { body } = await admin.get(at('laters')('x'));
          return body.spec.b !== undefined && body;
        },
        { what: 'the new schema holds' },
      );

      expect(read.spec).toEqual({ a: '1', b: 'd' });
      expect(read.metadata.resourceVersion).toBe(stored.metadata.resourceVersion);
      const list = await eventually(
        async () => {
          const answer = await admin.get(at('laters')());
          return answer.status === 200 && answer;
        },
        { what: 'the list is served by the new schema' },
      );
      expect(list.body.items[0]?.spec).toEqual({ a: '1', b: 'd' });
    });

    check('hold in an embedded resource', async ({ admin }) => {
      const schema = specOf({
        template: {
          ...objectOf({ spec: objectOf({ a: { type: 'string', default: 'd' } }) }),
          'x-kubernetes-embedded-resource': true,
        },
      });
      await install(admin, { group, kind: 'Outer', schema });
      const template = {
        apiVersion: 'v1',
        kind: 'X',
        metadata: { name: 'n', labels: { a: 'b' }, unknown: 1 },
        spec: { b: 1 },
        other: 1,
      };
      const { body } = await admin.post(`${at('outers')()}?fieldValidation=Ignore`, object('Outer', 'x', { template }));

      expect(body.spec).toEqual({
        template: { apiVersion: 'v1', kind: 'X', metadata: { labels: { a: 'b' }, name: 'n' }, spec: { a: 'd' } },
      });
    });
  },
  { concurrent: true },
);
