import { expect } from 'vitest';
import { install } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-sizes';
const group = 'sizes.conf.example';
const items = inNamespace(`${group}/v1/sizeds`, namespace);
const sized = (name: string, spec: object) => ({
  apiVersion: `${group}/v1`,
  kind: 'Sized',
  metadata: { name },
  spec,
});
const head = (name: string) => `apiVersion: ${group}/v1\nkind: Sized\nmetadata:\n  name: ${name}\nspec:\n`;
const aliases = (count: number, anchor: string) =>
  Array.from({ length: count }, (_, index) => `  b${index}: *${anchor}\n`).join('');
/** Nine levels of nine aliases each: 387 million leaves. */
const laughs =
  '  a0: &a0 [x, x, x, x, x, x, x, x, x]\n' +
  Array.from(
    { length: 8 },
    (_, level) => `  a${level + 1}: &a${level + 1} [${Array.from({ length: 9 }, () => `*a${level}`).join(', ')}]\n`,
  ).join('');

conformance('sizes of objects', ({ check, prepare }) => {
  prepare(async (server) => {
    await server.createNamespace(namespace);
    await install(server.admin, { group, kind: 'Sized' });
  });

  check('count what aliases of YAML stand for', async ({ admin }) => {
    const text = `${head('aliased')}  a: &a ${'x'.repeat(100_000)}\n${aliases(16, 'a')}`;

    const { status, body } = await admin.apply(items('aliased'), 'one', text);

    expect([status, body.message]).toEqual([500, 'etcdserver: request is too large']);
    expect((await admin.get(items('aliased'))).status).toBe(404);
  });

  check('beyond two mebibytes are not even sent to the storage', async ({ admin }) => {
    const text = `${head('swollen')}  a: &a ${'x'.repeat(700_000)}\n${aliases(40, 'a')}`;

    const { status, body } = await admin.apply(items('swollen'), 'one', text);

    const masked = body.message.replace(/\(\d+ vs/, '(<size> vs');
    expect([status, masked]).toEqual([
      500,
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max (<size> vs. 2097152)',
    ]);
    expect((await admin.get(items('swollen'))).status).toBe(404);
  });

  for (const [mebibytes, message] of [
    [1.5, /^etcdserver: request is too large$/],
    [
      2,
      /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(2097\d{3} vs. 2097152\)$/,
    ],
  ] as const) {
    check(`just above ${mebibytes} mebibytes are refused`, async ({ admin }) => {
      const text = 'x'.repeat(mebibytes * 1024 * 1024);
      const { status, body } = await admin.post(items(), sized('above', { a: text }));

      expect([status, body.message]).toEqual([500, expect.stringMatching(message)]);
    });
  }

  for (const [title, send] of [
    ['an apply', 'apply'],
    ['a create', 'create'],
  ] as const) {
    check(`are bounded where aliases of ${title} multiply`, async ({ admin }) => {
      const text = `${head('laughs')}${laughs}`;

      const { status, body } =
        send === 'apply'
          ? await admin.apply(items('laughs'), 'one', text)
          : await admin.post(items(), text, { contentType: 'application/yaml' });

      expect([status, body.message]).toEqual([
        400,
        send === 'apply'
          ? 'error decoding YAML: error converting YAML to JSON: yaml: document contains excessive aliasing'
          : expect.stringContaining('yaml: document contains excessive aliasing'),
      ]);
    });
  }

  check('take aliases that stand for little', async ({ admin }) => {
    const { status, body } = await admin.apply(
      items('few'),
      'one',
      `${head('few')}  a: &a {x: [1]}\n${aliases(3, 'a')}`,
    );

    const one = { x: [1] };
    expect([status, body.spec]).toEqual([201, { a: one, b0: one, b1: one, b2: one }]);
  });

  check('count what a JSON patch copies', async ({ admin }) => {
    await admin.create(items(), sized('copied', { a: 'x'.repeat(300_000) }));
    const copies = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/spec/a', path: `/spec/c${index}` }));

    const stored = await admin.patch('json', items('copied'), copies(2));
    const refused = await admin.patch('json', items('copied'), copies(5));
    const beyond = await admin.patch('json', items('copied'), copies(12));

    const { body } = await admin.get(items('copied'));
    expect(stored.status).toBe(200);
    expect([refused.status, refused.body.message]).toEqual([500, 'etcdserver: request is too large']);
    expect([beyond.status, beyond.body.reason]).toEqual([422, 'Invalid']);
    expect(Object.keys(body.spec).length).toBe(3);
  });

  check('do not count in a dry run', async ({ admin }) => {
    const { status } = await admin.post(`${items()}?dryRun=All`, sized('dry', { a: 'x'.repeat(1_700_000) }));

    expect(status).toBe(201);
  });
});
