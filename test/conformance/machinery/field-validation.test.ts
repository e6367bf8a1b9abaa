import { expect } from 'vitest';
import { install, objectOf, specOf } from '../definition.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, undecodable } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-fields';
const maps = inNamespace('v1/configmaps', namespace);
const group = 'fields.conf.example';
const things = inNamespace(`${group}/v1/things`, namespace);
const thing = (name: string, spec: object, more: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name },
  spec,
  ...more,
});
const duplicate = (name: string) => `{"metadata":{"name":"${name}"},"data":{"a":"1","a":"2"}}`;

conformance('unknown and duplicate fields', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    const schema = specOf({
      size: { type: 'integer' },
      part: objectOf({ a: { type: 'string' } }),
      list: { type: 'array', items: objectOf({ a: { type: 'string' } }) },
    });
    await install(admin, { group, kind: 'Thing', schema });
  });

  check('are warned about by default, for a kind of Kubernetes', async ({ admin }) => {
    const answer = await admin.post(maps(), { ...configMap('warned', { a: '1' }), unicorn: 1, zebra: { a: 1 } });

    expect([answer.status, answer.warnings, answer.body.unicorn]).toEqual([
      201,
      ['299 - "unknown field \\"unicorn\\""', '299 - "unknown field \\"zebra\\""'],
      undefined,
    ]);
  });

  check('are warned about by default, for a custom kind', async ({ admin }) => {
    const answer = await admin.post(
      things(),
      thing('warned', { size: 1, b: 1, part: { a: '1', c: 1 }, list: [{ d: 1 }] }, { top: 1 }),
    );

    expect([answer.status, answer.warnings, answer.body.spec]).toEqual([
      201,
      [
        '299 - "unknown field \\"spec.b\\""',
        '299 - "unknown field \\"spec.list[0].d\\""',
        '299 - "unknown field \\"spec.part.c\\""',
        '299 - "unknown field \\"top\\""',
      ],
      { size: 1, part: { a: '1' }, list: [{}] },
    ]);
  });

  check('are warned about in metadata too', async ({ admin }) => {
    const core = await admin.post(maps(), configMap('meta', {}, { unicorn: 1 }));
    const custom = await admin.post(things(), { ...thing('meta', {}), metadata: { name: 'meta', unicorn: 1 } });

    expect([core.warnings, custom.warnings]).toEqual([
      ['299 - "unknown field \\"metadata.unicorn\\""'],
      ['299 - "unknown field \\"metadata.unicorn\\""'],
    ]);
  });

  check('are refused when validation is strict, for a kind of Kubernetes', async ({ admin }) => {
    const body = { ...configMap('strict'), unicorn: 1 };
    expectRefusal(
      await admin.post(`${maps()}?fieldValidation=Strict`, body),
      badRequest(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "unicorn"',
      ),
    );
    expectRefusal(
      await admin.post(`${maps()}?fieldValidation=Strict`, duplicate('strict')),
      badRequest(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
      ),
    );
  });

  check('are refused when validation is strict, for a custom kind', async ({ admin }) => {
    const body = thing('strict', { b: 1, part: { c: 1 }, list: [{ a: '1' }, { d: 1 }] });
    expectRefusal(
      await admin.post(`${things()}?fieldValidation=Strict`, body),
      badRequest(
        'Thing in version "v1" cannot be handled as a Thing: strict decoding error: unknown field "spec.b", unknown field "spec.list[1].d", unknown field "spec.part.c"',
      ),
    );
    const text = `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"strict"},"spec":{"size":1,"size":2}}`;
    expectRefusal(
      await admin.post(`${things()}?fieldValidation=Strict`, text),
      badRequest(
        'Thing in version "v1" cannot be handled as a Thing: strict decoding error: duplicate field "spec.size"',
      ),
    );
  });

  check('are ignored without a word on demand', async ({ admin }) => {
    const core = await admin.post(`${maps()}?fieldValidation=Ignore`, { ...configMap('ignored'), unicorn: 1 });
    const custom = await admin.post(`${things()}?fieldValidation=Ignore`, thing('ignored', { b: 1 }));

    expect([core.status, core.warnings, custom.status, custom.warnings, custom.body.spec]).toEqual([
      201,
      [],
      201,
      [],
      {},
    ]);
  });

  check('that come twice are warned about, and the last one counts', async ({ admin }) => {
    const { status, warnings, body } = await admin.post(maps(), duplicate('duplicate'));

    expect([status, warnings, body.data]).toEqual([201, ['299 - "duplicate field \\"data.a\\""'], { a: '2' }]);
  });

  check('that come twice in a custom object are warned about', async ({ admin }) => {
    const text = `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"duplicate"},"spec":{"size":1,"size":2}}`;
    const { status, warnings, body } = await admin.post(things(), text);

    expect([status, warnings, body.spec]).toEqual([201, ['299 - "duplicate field \\"spec.size\\""'], { size: 2 }]);
  });

  check('that come twice in YAML are warned about', async ({ admin }) => {
    const text = 'metadata: {name: yaml-duplicate}\ndata:\n  a: "1"\n  a: "2"\n';
    const { status, warnings, body } = await admin.post(maps(), text, { contentType: 'application/yaml' });

    expect([status, warnings, body.data]).toEqual([
      201,
      ['299 - "line 4: key \\"a\\" already set in map"'],
      { a: '2' },
    ]);
  });

  check('are found in replacements and patches alike', async ({ admin }) => {
    await admin.create(maps(), configMap('changed'));
    await admin.create(things(), thing('changed', {}));

    const put = await admin.put(maps('changed'), { ...configMap('changed', { a: '1' }), unicorn: 1 });
    const merge = await admin.patch('merge', maps('changed'), { unicorn: 1 });
    const json = await admin.patch('json', maps('changed'), [{ op: 'add', path: '/unicorn', value: 1 }]);
    const custom = await admin.patch('merge', things('changed'), { spec: { b: 1 } });

    expect([put, merge, json, custom].map(({ status, warnings }) => [status, warnings])).toEqual([
      [200, ['299 - "unknown field \\"unicorn\\""']],
      [200, ['299 - "unknown field \\"unicorn\\""']],
      [200, ['299 - "unknown field \\"unicorn\\""']],
      [200, ['299 - "unknown field \\"spec.b\\""']],
    ]);
  });

  check('are refused in strict patches', async ({ admin }) => {
    await admin.create(maps(), configMap('strict-patch'));
    await admin.create(things(), thing('strict-patch', {}));

    const core = await admin.patch('merge', `${maps('strict-patch')}?fieldValidation=Strict`, { unicorn: 1 });
    const custom = await admin.patch('merge', `${things('strict-patch')}?fieldValidation=Strict`, { spec: { b: 1 } });
    const duplicated = await admin.patch(
      'merge',
      `${maps('strict-patch')}?fieldValidation=Strict`,
      '{"data":{"a":"1","a":"2"}}',
    );

    expectRefusal(core, undecodable('strict decoding error: unknown field "unicorn"'));
    expectRefusal(custom, undecodable('strict decoding error: unknown field "spec.b"'));
    expectRefusal(duplicated, undecodable('strict decoding error: duplicate field "data.a"'));
  });

  check('are a matter of three words', async ({ admin }) => {
    expectRefusal(
      await admin.post(`${maps()}?fieldValidation=Perhaps`, configMap('perhaps')),
      invalid({ group: 'meta.k8s.io', kind: 'CreateOptions' }, '', [
        [
          'fieldValidation',
          'FieldValueNotSupported',
          'Unsupported value: "Perhaps": supported values: "", "Ignore", "Strict", "Warn"',
        ],
      ]),
    );
    expectRefusal(
      await admin.put(`${maps('changed')}?fieldValidation=strict`, configMap('changed')),
      invalid({ group: 'meta.k8s.io', kind: 'UpdateOptions' }, '', [
        [
          'fieldValidation',
          'FieldValueNotSupported',
          'Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
        ],
      ]),
    );
  });

  check('of a wrong case are unknown', async ({ admin }) => {
    const { status, warnings, body } = await admin.post(maps(), { ...configMap('case'), Data: { a: '1' } });

    expect([status, warnings, body.data]).toEqual([201, ['299 - "unknown field \\"Data\\""'], undefined]);
  });
});
