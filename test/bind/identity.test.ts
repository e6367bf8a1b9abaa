import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APIServiceBindings, APIServiceExports, appCluster as names } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Secrets } from '@klutch/kube';
import { logIn, startIssuer } from '@klutch/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { patiently } from '../backend/process-world.ts';
import { openCrashScene } from '../cli/crash-scene.ts';
import { openOwnCluster, sampleApi, type TestCluster } from '../konnector/world.ts';
import { claimWidget } from './person.ts';
import { isAccepted, openScene } from './scene.ts';

async function kubeconfigSecrets(app: TestCluster) {
  const { items } = await app.admin.resource(Secrets).list({ namespace: names.namespace });
  return items.filter(({ metadata }) => metadata.name?.startsWith('kubeconfig-'));
}

function identity(tier: Tier): void {
  it('CLI-31 a second user of a tenant binds another API with the namespace and the Secret of the first', async () => {
    const users = ['ada', 'grace'].map((name) => ({ name, password: 'enchantress', groups: ['team-acme'] }));
    const second = sampleApi();
    const scene = await openScene(tier, {
      issuer: (callbackUrl) =>
        startIssuer({
          users,
          clients: [{ kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] }],
        }),
      scopes: ['openid', 'email', 'groups'],
      tenantGroups: /^team-(.+)$/,
      otherApis: [second],
    });
    const apis = [scene.api.name, second.name];

    for (const [at, user] of users.entries()) {
      const api = apis[at] ?? '';
      const run = scene.klutch(['bind', scene.provider, '--no-browser', '--api', api, '--accept-claims=all', '--wait']);
      const [url] = await run.says(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/);
      await logIn({ url, user });
      expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
    }

    const secrets = await kubeconfigSecrets(scene.app);
    expect(secrets).toHaveLength(1);
    const { items } = await scene.app.admin.resource(APIServiceBindings).list({ namespace: names.namespace });
    expect(new Map(items.map(({ metadata, spec }) => [metadata.name, spec?.kubeconfigSecretRef.name]))).toEqual(
      new Map(apis.map((api) => [api, secrets[0]?.metadata.name])),
    );
    const exports = (await scene.controlPlane.admin.resource(APIServiceExports).list()).items;
    expect(new Set(exports.map(({ metadata }) => metadata.name))).toEqual(new Set(apis));
    expect(new Set(exports.map(({ metadata }) => metadata.namespace)).size).toBe(1);
  }, 300_000);

  it('CLI-40 refuses a second app cluster with the identity of the first, whose data is untouched', async () => {
    const scene = await openCrashScene(tier);
    const { app, controlPlane, api, bindArgs } = scene;
    const first = scene.klutch([...bindArgs, '--cluster-id', 'shared', '--wait']);
    expect({ code: await first.ended(), err: first.err() }).toMatchObject({ code: 0 });
    const namespace = await claimWidget(scene, 'w');
    const copies = controlPlane.admin.resource(api.type);
    const copy = await copies.get({ namespace, name: 'w' });
    const other = await openOwnCluster(tier);
    onTestFinished(() => other.close());
    const kubeconfig = join(await scratchFolder(), 'config');
    await writeFile(kubeconfig, await other.kubeconfig(), { mode: 0o600 });

    const second = runCommand([...bindArgs, '--cluster-id', 'shared', '--kubeconfig', kubeconfig]);

    expect(await second.ended(), second.err()).toBe(6);
    expect(second.err()).toMatch(/^Error: .*another (?:app )?cluster/im);
    expect(await kubeconfigSecrets(other)).toEqual([]);
    const [secret] = await kubeconfigSecrets(app);
    expect(await isAccepted(Buffer.from(secret?.data?.['kubeconfig'] ?? '', 'base64').toString())).toBe(true);
    await app.admin
      .resource(api.type)
      .patch({ namespace: 'team-a', name: 'w' }, { type: 'merge', patch: { spec: { size: 2 } } });
    const grown = await patiently(async () => {
      const found = await copies.get({ namespace, name: 'w' });
      return (found['spec'] as { readonly size: number }).size === 2 && found;
    });
    expect(grown.metadata.uid).toBe(copy.metadata.uid);
  }, 300_000);
}

describe('who an app cluster belongs to (embedded)', () => identity('embedded'));
describeReal('who an app cluster belongs to (real)', () => identity('real'));
