import { expect } from 'vitest';
import { install } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-odd-names';
const group = 'odd-names.conf.example';
const kind = 'Odd';
const items = inNamespace(`${group}/v1/odds`, namespace);

/** Names that mean something to JavaScript and nothing to Kubernetes. As text, because literals treat `__proto__` differently. */
const oddFields =
  '{"x":1,"__proto__":{"x":2},"constructor":{"prototype":{"x":3}},"toString":"a","hasOwnProperty":true}';

const sent = (name: string, spec: string) =>
  `{"apiVersion":"${group}/v1","kind":"${kind}","metadata":{"name":"${name}"},"spec":${spec}}`;

/** What is below `spec` in a body, with the fields of each object in order. */
const specIn = (text: string) => canonical((JSON.parse(text) as { spec: unknown }).spec);

function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, canonical((value as Record<string, unknown>)[key])]);
}

conformance('fields with odd names', ({ check, prepare }) => {
  prepare(async (server) => {
    await server.createNamespace(namespace);
    await install(server.admin, {
      group,
      kind,
      schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      version: {
        subresources: {
          scale: { specReplicasPath: '.spec.__proto__.x', statusReplicasPath: '.status.constructor.x' },
        },
        additionalPrinterColumns: [
          { name: 'Own', type: 'integer', jsonPath: '.spec.__proto__.x' },
          { name: 'Absent', type: 'string', jsonPath: '.spec.valueOf' },
        ],
      },
    });
  });

  check('are kept by a create', async ({ admin }) => {
    const { status, text } = await admin.post(items(), sent('created', oddFields));

    expect([status, specIn(text)]).toEqual([201, canonical(JSON.parse(oddFields))]);
  });

  check('are kept by an apply', async ({ admin }) => {
    const { status, text } = await admin.apply(items('applied'), 'one', sent('applied', oddFields));
    const again = await admin.apply(items('applied'), 'one', sent('applied', '{"__proto__":{"x":4}}'));

    expect([status, specIn(text)]).toEqual([201, canonical(JSON.parse(oddFields))]);
    expect([again.status, specIn(again.text)]).toEqual([200, canonical(JSON.parse('{"__proto__":{"x":4}}'))]);
  });

  for (const type of ['merge', 'json'] as const) {
    check(`are changed and removed by a ${type} patch`, async ({ admin }) => {
      await admin.create(items(), sent(`${type}-patched`, oddFields));
      const patch = {
        merge:
          '{"spec":{"__proto__":{"x":null,"y":5},"constructor":{"prototype":{"y":6}},"toString":null,"hasOwnProperty":null}}',
        json: `[{"op":"remove","path":"/spec/__proto__/x"},{"op":"add","path":"/spec/__proto__/y","value":5},
          {"op":"add","path":"/spec/constructor/prototype/y","value":6},{"op":"remove","path":"/spec/toString"},
          {"op":"remove","path":"/spec/hasOwnProperty"}]`,
      }[type];

      const { status, text } = await admin.patch(type, items(`${type}-patched`), patch);

      const expected = '{"x":1,"__proto__":{"y":5},"constructor":{"prototype":{"x":3,"y":6}}}';
      expect([status, specIn(text)]).toEqual([200, canonical(JSON.parse(expected))]);
    });
  }

  check('are where a JSON patch does not find what is not there', async ({ admin }) => {
    await admin.create(items(), sent('unpatched', '{}'));

    for (const path of ['/spec/__proto__/x', '/spec/constructor/prototype/x', '/spec/toString/x']) {
      const { status } = await admin.patch('json', items('unpatched'), [{ op: 'add', path, value: 1 }]);
      expect([path, status]).toEqual([path, 422]);
    }
  });

  check('are found and set by a scale', async ({ admin }) => {
    await admin.create(items(), sent('scaled', oddFields));

    const before = await admin.get(`${items('scaled')}/scale`);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'scaled', namespace } };
    const after = await admin.put(`${items('scaled')}/scale`, { ...scale, spec: { replicas: 7 } });

    const { text } = await admin.get(items('scaled'));
    expect([before.status, before.body.spec, after.status, after.body.spec]).toEqual([
      200,
      { replicas: 2 },
      200,
      { replicas: 7 },
    ]);
    expect(specIn(text)).toEqual(canonical(JSON.parse(oddFields.replace('"x":2', '"x":7'))));
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  check('are set by a scale where there was nothing', async ({ admin }) => {
    await admin.create(items(), sent('unscaled', '{}'));

    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'unscaled', namespace } };
    const { status } = await admin.put(`${items('unscaled')}/scale`, { ...scale, spec: { replicas: 7 } });

    const { text } = await admin.get(items('unscaled'));
    expect([status, specIn(text)]).toEqual([200, canonical(JSON.parse('{"__proto__":{"x":7}}'))]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  check('are shown in columns', async ({ admin }) => {
    await admin.create(items(), sent('shown', oddFields));

    const { body } = await admin.get(items('shown'), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });

    expect((body.rows as { cells: unknown[] }[])[0]?.cells).toEqual(['shown', 2, null]);
  });
});
