import { expect } from 'vitest';
import { install } from '../definition.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, type Refusal, refusal, startingWith } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-media';
const unknownFormat = refusal(
  415,
  'UnsupportedMediaType',
  startingWith(
    'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
  ),
);
const notAcceptable = refusal(
  406,
  'NotAcceptable',
  startingWith('406: Not Acceptable\n\nAvailable representations: application/json, application/yaml'),
  {},
);
const maps = inNamespace('v1/configmaps', namespace);

conformance('media types', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await admin.create(maps(), configMap('read', { a: '1' }));
  });

  const accepted: readonly (readonly [accept: string, contentType: string])[] = [
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['text/html;q=0.5, application/yaml;q=0.9, */*;q=0.1', 'application/yaml'],
    ['application/json;charset=utf-8', 'application/json'],
    ['application/json;as=Table;v=v9;g=meta.k8s.io, application/json', 'application/json'],
    ['application/vnd.unknown, application/json', 'application/json'],
  ];
  for (const [accept, expected] of accepted) {
    check(`to "${accept}" the answer has a content type that fits`, async ({ admin }) => {
      const { status, headers } = await admin.get(maps('read'), { accept });

      expect([status, headers['content-type']]).toEqual([200, expected]);
    });
  }

  const refused: readonly (readonly [accept: string, refusal: Refusal])[] = [
    ['text/html', notAcceptable],
    ['application/*', notAcceptable],
    [
      'application/json;as=Table;v=v9;g=meta.k8s.io',
      refusal(
        406,
        'NotAcceptable',
        startingWith('only the following media types are accepted: application/json, application/yaml'),
      ),
    ],
    [
      'application/json;as=Unicorn;v=v1;g=meta.k8s.io',
      refusal(
        406,
        'NotAcceptable',
        startingWith('only the following media types are accepted: application/json, application/yaml'),
      ),
    ],
  ];
  for (const [accept, expected] of refused) {
    check(`to "${accept}" there is no answer`, async ({ admin }) => {
      expectRefusal(await admin.get(maps('read'), { accept }), expected);
    });
  }

  check('answers in YAML', async ({ admin }) => {
    const { text } = await admin.get(maps('read'), { accept: 'application/yaml' });

    expect(
      text.split('\n').filter((line) => !/uid|resourceVersion|creationTimestamp|^ {2,}|managedFields/.test(line)),
    ).toEqual(['apiVersion: v1', 'data:', 'kind: ConfigMap', 'metadata:', '']);
  });

  check('refuses in YAML what was asked for in YAML', async ({ admin }) => {
    const { status, headers, text } = await admin.get(maps('absent'), { accept: 'application/yaml' });

    expect([status, headers['content-type'], text.split('\n').slice(0, 2)]).toEqual([
      404,
      'application/yaml',
      ['apiVersion: v1', 'code: 404'],
    ]);
  });

  const sent: readonly (readonly [name: string, contentType: string, body: string])[] = [
    ['json', 'application/json', '{"metadata":{"name":"json"},"data":{"a":"1"}}'],
    ['yaml', 'application/yaml', 'metadata:\n  name: yaml\ndata:\n  a: "1"\n'],
    ['json-charset', 'application/json; charset=utf-8', '{"metadata":{"name":"json-charset"},"data":{"a":"1"}}'],
    ['yaml-as-json', 'application/yaml', '{"metadata":{"name":"yaml-as-json"},"data":{"a":"1"}}'],
  ];
  for (const [name, contentType, body] of sent) {
    check(`takes "${contentType}" (${name})`, async ({ admin }) => {
      const answer = await admin.post(maps(), body, { contentType });

      expect([answer.status, answer.body.data]).toEqual([201, { a: '1' }]);
    });
  }

  check('takes a body without content type for JSON', async ({ admin }) => {
    const { status } = await admin.post(maps(), configMap('typeless'), { contentType: '' });

    expect(status).toBe(201);
  });

  check('refuses other content types', async ({ admin }) => {
    expectRefusal(await admin.post(maps(), configMap('text'), { contentType: 'text/plain' }), unknownFormat);
    expectRefusal(await admin.put(maps('read'), configMap('read'), { contentType: 'application/xml' }), unknownFormat);
    expectRefusal(await admin.post(maps(), configMap('x'), { contentType: 'nonsense' }), unknownFormat);
    expectRefusal(
      await admin.send('PATCH', maps('read'), { body: {}, contentType: 'text/plain' }),
      refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {}),
    );
  });

  check('gives every answer its headers', async ({ admin }) => {
    const { headers } = await admin.get(maps('read'));

    expect([headers['cache-control'], headers['content-type'], headers['audit-id'] !== undefined]).toEqual([
      'no-cache, private',
      'application/json',
      true,
    ]);
  });

  check('compresses a long answer for those who can read it', async ({ admin }) => {
    await admin.create(maps(), configMap('long', { a: 'x'.repeat(200_000) }));

    const plain = await admin.get(maps('long'));
    const zipped = await admin.get(maps('long'), { headers: { 'accept-encoding': 'gzip' } });

    expect([plain.headers['content-encoding'], zipped.headers['content-encoding'], zipped.headers.vary]).toEqual([
      undefined,
      'gzip',
      'Accept-Encoding',
    ]);
  });

  check('indents on demand', async ({ admin }) => {
    const pretty = await admin.get(`${maps('read')}?pretty=true`);
    const plain = await admin.get(maps('read'));

    expect([
      pretty.text.startsWith('{\n  "kind": "ConfigMap",\n  "apiVersion": "v1",'),
      plain.text.startsWith('{"kind":"ConfigMap","apiVersion":"v1",'),
    ]).toEqual([true, true]);
  });

  check('answers a custom kind in JSON to those who prefer the binary format', async ({ admin }) => {
    await install(admin, { group: 'media.conf.example', kind: 'Note' });
    const accept = 'application/vnd.kubernetes.protobuf, application/json';

    const { status, headers } = await admin.get(inNamespace('media.conf.example/v1/notes', namespace)(), { accept });

    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  });
});
