import {
  APIServiceBindings,
  APIServiceExports,
  appCluster as names,
  CustomResourceDefinitions,
  kubeconfigKey,
} from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { type KubeClient, Namespaces, Secrets } from '@klutch/kube';
import { logIn, startIssuer } from '@klutch/sandbox';
import { describe, expect, it } from 'vitest';
import { patiently } from '../backend/process-world.ts';
import { isAccepted, openScene, type Scene } from './scene.ts';

const user = { name: 'ada', password: 'enchantress' };

const embeddedIssuer = (callbackUrl: string) =>
  startIssuer({
    users: [user],
    clients: [{ kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] }],
  });

/** Binds as a person does, who logs in at the address that is printed. */
async function bind(scene: Scene): Promise<string> {
  const run = scene.klutch([
    'bind',
    scene.provider,
    '--no-browser',
    '--api',
    scene.api.name,
    '--accept-claims',
    'all',
    '--wait',
  ]);
  const [url] = await run.says(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/);
  await logIn({ url, user });
  expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
  return run.err();
}

async function run(scene: Scene, ...args: string[]) {
  const command = scene.klutch(args);
  const code = await command.ended();
  return { code, out: command.out(), err: command.err() };
}

/** A claim that the developer makes, and where its copy goes. */
async function claimWidget({ app, controlPlane, api }: Scene, name: string): Promise<string> {
  const namespaces = app.admin.resource(Namespaces);
  await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } }).catch(() => undefined);
  const { group, version, kind } = api.type;
  const manifest = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, namespace: 'team-a' },
    spec: { size: 1 },
  };
  await app.admin.resource(api.type).create(manifest);
  const copy = await patiently(async () => {
    const { items } = await controlPlane.admin.resource(api.type).list();
    return items.find(({ metadata }) => metadata.name === name);
  });
  return copy.metadata.namespace ?? '';
}

async function storedKubeconfig(app: KubeClient): Promise<string> {
  const { items } = await app.resource(Secrets).list({ namespace: names.namespace });
  const found = items.find(({ metadata }) => metadata.name?.startsWith('kubeconfig-'));
  return Buffer.from(found?.data?.[kubeconfigKey] ?? '', 'base64').toString();
}

function lifecycle(tier: Tier): void {
  it('CLI-32 CLI-33 CLI-34 BE-42 S-24 goes from bind to unbind with one command each', async () => {
    const scene = await openScene(tier, { issuer: embeddedIssuer });
    const { app, controlPlane, api } = scene;
    await bind(scene);

    const serviceNamespace = await claimWidget(scene, 'w1');
    const secret = (name: string, namespace: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: { a: 'Yg==' },
    });
    await controlPlane.admin.resource(Secrets).create(secret('from-provider', serviceNamespace));
    await app.admin.resource(Secrets).create(secret('of-the-user', 'team-a'));
    await patiently(() => app.admin.resource(Secrets).find({ namespace: 'team-a', name: 'from-provider' }));
    const above = await controlPlane.admin.resource(Secrets).list({ namespace: serviceNamespace });
    expect(above.items.map(({ metadata }) => metadata.name)).not.toContain('of-the-user');

    const status = await run(scene, 'status', '-o', 'json');
    expect(status.code).toBe(0);
    expect(JSON.parse(status.out)).toMatchObject({
      bindings: [
        { api: api.name, provider: 'Acme', ready: 'True', konnectorVersion: expect.stringContaining('1.2.3') },
      ],
    });
    const [reported] = (JSON.parse(status.out) as { bindings: { lastHeartbeat: string; credentialExpires: string }[] })
      .bindings;
    expect(Date.parse(reported?.lastHeartbeat ?? '')).toBeGreaterThan(0);
    expect(Date.parse(reported?.credentialExpires ?? '')).toBeGreaterThan(Date.now());
    expect((await run(scene, 'services')).out).toContain(api.name);
    expect((await run(scene, 'services', api.type.kind)).out).toMatch(/spec\.size +integer/);

    const before = await storedKubeconfig(app.admin);
    expect(await run(scene, 'rotate')).toMatchObject({ code: 0 });
    const after = await storedKubeconfig(app.admin);
    expect(after).not.toBe(before);
    // The API server remembers tokens that it has seen for a few seconds.
    await patiently(async () => !(await isAccepted(before)));
    expect(await isAccepted(after)).toBe(true);
    await claimWidget(scene, 'w2');

    const refused = await run(scene, 'unbind', api.name);
    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining('team-a/w1, team-a/w2') });
    expect(
      await app.admin.resource(APIServiceBindings).find({ namespace: names.namespace, name: api.name }),
    ).toBeDefined();

    const forced = await run(scene, 'unbind', api.name, '--force', '--yes');
    expect(forced).toMatchObject({ code: 0 });
    expect(await app.admin.resource(CustomResourceDefinitions).find({ name: api.name })).toBeUndefined();
    expect((await controlPlane.admin.resource(api.type).list()).items).toEqual([]);
    await patiently(async () => (await controlPlane.admin.resource(APIServiceExports).list()).items.length === 0);
    expect(await storedKubeconfig(app.admin)).toBe('');
  }, 300_000);
}

describe('an app cluster (embedded)', () => lifecycle('embedded'));
describeReal('an app cluster (real)', () => lifecycle('real'));
