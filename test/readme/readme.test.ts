import { readFile } from 'node:fs/promises';
import { createNamespace, describeReal, sharedPlane } from '@klutch/kit/vitest';
import { ConfigMaps, connect, parseKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { greet } from './greet.ts';

const root = new URL('../../', import.meta.url);

describe('the READMEs', () => {
  it('show the example that is compiled and run here', async () => {
    const readme = await readFile(new URL('packages/kube/README.md', root), 'utf8');
    const example = await readFile(new URL('test/readme/greet.ts', root), 'utf8');
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
