import { eventually } from '@klutch/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../conformance/client.ts';
import { type FaultServer, faultServer } from './fault-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const gadgets = '/apis/faults.example/v1/namespaces/default/gadgets';

const gadgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.faults.example' },
  spec: {
    group: 'faults.example',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } } },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

let faults: FaultServer;
beforeEach(async () => {
  faults = await faultServer();
  await faults.admin.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', gadgetDefinition);
  await eventually(async () => (await faults.admin.get(gadgets)).status === 200, { what: 'gadgets are served' });
});

function expectRefused({ status, body }: Answer, code: number): void {
  expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code, message: expect.any(String) as string });
  expect(status).toBe(code);
  expect(faults.problems).toEqual([]);
}

const gadget = (fields: object) => ({
  apiVersion: 'faults.example/v1',
  kind: 'Gadget',
  metadata: { name: 'g' },
  ...fields,
});

const deep = 100_000;
const laughs = ['a0: &a0 ha', ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)].join(
  '\n',
);

describe('bodies that the embedded API server cannot use', () => {
  it.each([
    ['no JSON', '{"apiVersion": "v1", '],
    ['half a character', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22])],
    ['nothing but zeros', Buffer.alloc(1000)],
    ['a number', '1e999'],
    ['a deep list', '['.repeat(deep) + ']'.repeat(deep)],
    ['a deep object', '{"a":'.repeat(deep) + '1' + '}'.repeat(deep)],
    ['nothing', ''],
  ])('are refused in JSON: %s', async (_, body) => {
    for (const path of [maps, gadgets]) expectRefused(await faults.admin.post(path, body), 400);
    for (const type of ['merge', 'json', 'apply'] as const) {
      const { status, body: answer } = await faults.admin.patch(type, `${gadgets}/g?fieldManager=x`, body);
      expect(answer.kind).toBe('Status');
      expect([400, 404, 422]).toContain(status);
    }
    expect(faults.problems).toEqual([]);
  });

  it.each([
    ['an open bracket', 'a: [1, 2'],
    ['tabs', 'a:\n\t- b'],
    ['an unknown anchor', 'a: *b'],
    ['a bomb of aliases', laughs],
    ['a deep list', '['.repeat(20_000)],
    ['deep lines', Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['keys within keys', '? '.repeat(1_000)],
    ['two documents, both wrong', '- a\n---\n- b'],
  ])('are refused in YAML: %s', async (_, body) => {
    for (const path of [maps, gadgets]) {
      expectRefused(await faults.admin.post(path, body, { contentType: 'application/yaml' }), 400);
    }
    const { status } = await faults.admin.patch('apply', `${gadgets}/g?fieldManager=x`, body);
    expect([400, 422]).toContain(status);
    expect(faults.problems).toEqual([]);
  });

  it('are refused when they have 5 MB, and the connection goes on', async () => {
    const large = JSON.stringify(gadget({ free: { text: 'x'.repeat(5 * 1024 * 1024) } }));
    expectRefused(await faults.admin.post(gadgets, large), 413);
    expectRefused(await faults.admin.patch('merge', `${gadgets}/g`, large), 413);
    expectRefused(await faults.admin.post(maps, large, { contentType: 'application/yaml' }), 413);
    expect((await faults.admin.get(gadgets)).body.items).toEqual([]);
  });

  it.each([
    [1.5, 'etcdserver: request is too large'],
    [
      2,
      /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(2097\d{3} vs. 2097152\)$/,
    ],
  ])('are refused when they would not fit into etcd either: %d MiB', async (mebibytes, message) => {
    const text = 'x'.repeat(mebibytes * 1024 * 1024);
    const { status, body } = await faults.admin.post(gadgets, gadget({ free: { text } }));
    expect([status, body.message]).toEqual([500, expect.stringMatching(message)]);
    expect(faults.problems).toEqual([]);
  });

  it('are refused for unknown fields when strict, and nothing is stored', async () => {
    const strict = `${gadgets}?fieldValidation=Strict`;
    const answer = await faults.admin.post(strict, gadget({ spec: { sise: 1 }, more: {} }));
    expectRefused(answer, 400);
    expect(answer.body.message).toContain('unknown field "more", unknown field "spec.sise"');
    expect((await faults.admin.get(gadgets)).body.items).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    'keep a field called %s a field',
    async (name) => {
      const body = `{"apiVersion":"faults.example/v1","kind":"Gadget","metadata":{"name":"g"},"free":{"${name}":{"a":"1"}}}`;
      const strict = await faults.admin.post(`${gadgets}?fieldValidation=Strict`, body);
      expect([strict.status, strict.text]).toEqual([201, expect.stringContaining(`"${name}":{"a":"1"}`)]);
      const patched = await faults.admin.patch('merge', `${gadgets}/g`, `{"free":{"${name}":{"b":"2"}}}`);
      expect([patched.status, patched.text]).toEqual([200, expect.stringContaining(`"${name}":{"a":"1","b":"2"}`)]);
      const applied = await faults.admin.patch('apply', `${gadgets}/g?fieldManager=x&force=true`, body);
      expect(applied.status).toBe(200);
      expect(({} as Record<string, unknown>)['a']).toBeUndefined();
      expect(faults.problems).toEqual([]);
    },
  );

  it.each([
    ['text/plain', 415],
    ['application/xml', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/', 415],
    [';;;', 415],
    ['application/json; charset=utf-16', 201],
  ])('are judged by their content type: %s', async (contentType, code) => {
    const answer = await faults.admin.post(gadgets, gadget({}), { contentType });
    if (code !== 201) expectRefused(answer, code);
    expect(answer.status).toBe(code);
  });
});

describe('questions that the embedded API server cannot answer', () => {
  it.each([
    'labelSelector=a,,b',
    'labelSelector=!',
    'labelSelector=a in (',
    'labelSelector=a=b=c',
    'fieldSelector=spec.nothing=1',
    'fieldSelector=metadata.name',
    'limit=many',
    'limit=-9223372036854775809',
    'continue=bm90aGluZw',
    'resourceVersion=-1',
    'resourceVersion=latest',
    'resourceVersionMatch=Sometimes',
    'timeoutSeconds=soon',
    'watch=1&sendInitialEvents=maybe',
  ])('get a Status: %s', async (query) => {
    for (const path of [maps, gadgets]) {
      const { status, body } = await faults.admin.get(`${path}?${encodeURI(query)}`);
      expect(body).toMatchObject({ kind: 'Status', status: 'Failure' });
      expect([400, 422]).toContain(status);
    }
    expect(faults.problems).toEqual([]);
  });

  it.each(['a,', '(', '!', 'a in (b,'])('get a Status, however long: labelSelector=%s…', async (part) => {
    const query = encodeURI(`labelSelector=${part.repeat(1_000)}`);
    const { status, body } = await faults.admin.get(`${gadgets}?${query}`);
    expect([status, body.kind]).toEqual([400, 'Status']);
  });
});
