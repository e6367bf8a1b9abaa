import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createNamespace, describeReal, sharedPlane } from '@klutch/kit/vitest';
import { ConfigMaps, connect, parseKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { claimFields } from './claim-fields.ts';
import { greet } from './greet.ts';
import { isReady } from './is-ready.ts';

const root = new URL('../../', import.meta.url);

describe('the READMEs', () => {
  it.each([
    ['packages/kube', 'greet.ts'],
    ['packages/cel', 'is-ready.ts'],
    ['packages/xrd', 'claim-fields.ts'],
  ])('of %s show the example that is compiled and run here', async (room, file) => {
    const readme = await readFile(new URL(`${room}/README.md`, root), 'utf8');
    const example = await readFile(new URL(`test/readme/${file}`, root), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it('begin the quick start with exactly the two commands', async () => {
    const readme = await readFile(new URL('README.md', root), 'utf8');
    const quickStart = readme.slice(readme.indexOf('## Quick start'), readme.indexOf('## Status'));
    const commands = [...quickStart.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) =>
      block?.trim().split('\n'),
    );
    expect(commands).toEqual(['npm install && npm start', 'npm install && npm test']);
    expect(await readFile(new URL('.ci/run', root), 'utf8')).toContain('\nnpm install && npm test\n');
  });
});

describe('the first command of the README', () => {
  it('goes all the way from nothing to a service in use', { timeout: 400_000 }, async () => {
    const { stdout } = await promisify(execFile)('npm', ['start', '--silent'], {
      cwd: fileURLToPath(root),
      env: { ...process.env, NODE_OPTIONS: '', KLUTCH_SOURCE: '1' },
    });
    const seen = [
      'All of it runs in this one process.',
      'greetings.sandbox.klutch.io is bound.',
      'is on the control plane.',
      'It is Ready, and says: Bonjour, Ada!',
      'Secret ada-greeting holds a passphrase of 16 characters.',
    ];
    const order = seen.map((text) => stdout.indexOf(text));
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(stdout).toMatch(/^All of this has really happened, in \d+\.\d s\.$/m);
  });
});

describe('the example of packages/cel', () => {
  it('does what it says', () => {
    const withReady = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });

    expect(isReady(withReady('True'))).toBe(true);
    expect(isReady(withReady('Unknown'))).toBe(false);
    expect(isReady({})).toBe('no such key: status');
  });
});

describe('the example of packages/xrd', () => {
  it('does what it says', () => {
    const spec = { type: 'object', properties: { plan: { type: 'string' } } };
    const fields = claimFields({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: { name: 'xparcels.post.example' },
      spec: {
        group: 'post.example',
        names: { kind: 'XParcel', plural: 'xparcels' },
        claimNames: { kind: 'Parcel', plural: 'parcels' },
        versions: [
          { name: 'v1', served: true, referenceable: true, schema: { openAPIV3Schema: { properties: { spec } } } },
        ],
      },
    });
    expect(fields).toEqual(expect.arrayContaining(['plan', 'compositionRef', 'compositeDeletePolicy']));
  });
});

describeReal('the example of packages/kube', () => {
  it('does what it says', async () => {
    const plane = await sharedPlane();
    const namespace = await createNamespace(plane, 'readme');
    const client = connect(parseKubeconfig(plane.admin.kubeconfig, { source: 'the test', trust: 'local' }), {
      userAgent: 'test',
    });
    const maps = client.resource(ConfigMaps);
    await maps.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace, name: 'me', labels: { greet: 'yes' } },
    });
    await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'not-me' } });
    const before = process.env['KUBECONFIG'];
    process.env['KUBECONFIG'] = plane.admin.kubeconfigPath;
    const stop = new AbortController();
    const greeter = greet(stop.signal);
    try {
      await eventually(async () => (await maps.get({ namespace, name: 'me' })).data?.['greeting'] === 'hello');
      expect((await maps.get({ namespace, name: 'not-me' })).data).toBeUndefined();
    } finally {
      stop.abort();
      await greeter;
      await client.close();
      if (before === undefined) delete process.env['KUBECONFIG'];
      else process.env['KUBECONFIG'] = before;
    }
  });
});
