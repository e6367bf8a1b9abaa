import { APIServiceBindings, appCluster as names, ConditionType, isConditionTrue } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Leases } from '@klutch/kube';
import { confirmDevice, startIssuer } from '@klutch/sandbox';
import { describe, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.ts';

const user = { name: 'ada', password: 'enchantress' };

const embeddedIssuer = (callbackUrl: string) =>
  startIssuer({
    users: [user],
    clients: [{ kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] }],
  });

/** Begins a bind on a machine without a browser. */
async function begin(scene: Scene, ...more: readonly string[]) {
  const run = scene.klutch(['bind', scene.provider, '--device-code', '--api', scene.api.name, ...more]);
  const [, code = '', url = ''] = await run.says(/compare the code ([A-Z]{4}-[A-Z]{4}):\s+(http:\/\/\S+)/);
  return { run, code, url };
}

function deviceLogin(tier: Tier): void {
  it('binds after the user has logged in elsewhere and has confirmed what is asked for', async () => {
    const scene = await openScene(tier, { issuer: embeddedIssuer });
    const { run, code, url } = await begin(scene, '--accept-claims', 'all', '--wait');
    expect(url).toBe(`${scene.provider.replace('/export', '/device')}?user_code=${code}`);

    const page = await confirmDevice({ url, user });

    expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
    for (const fact of [code, scene.api.name, '127.0.0.1', 'ada']) expect(page).toContain(fact);
    const ref = { namespace: names.namespace, name: scene.api.name };
    const binding = await scene.app.admin.resource(APIServiceBindings).get(ref);
    expect(isConditionTrue(binding.status?.conditions, ConditionType.Ready)).toBe(true);
  }, 300_000);
}

describe('a login with a device code (embedded)', () => {
  deviceLogin('embedded');

  it('writes nothing before somebody is logged in, and ends with the command', async () => {
    const scene = await openScene('embedded', { issuer: embeddedIssuer });
    const marks = async () => {
      const { items } = await scene.controlPlane.admin.resource(Leases).list({ namespace: scene.backend.namespace });
      return items.map(({ metadata }) => metadata.name).filter((name) => !name?.startsWith('klutch-backend'));
    };
    const { run, url } = await begin(scene);
    await fetch(url, { redirect: 'manual' });
    expect(await marks()).toEqual([]);

    run.interrupt();

    expect(await run.ended()).toBe(7);
    expect(await marks()).toEqual([]);
    const { items } = await scene.app.admin
      .resource(APIServiceBindings)
      .list()
      .catch(() => ({ items: [] }));
    expect(items).toEqual([]);
  }, 120_000);

  it('ends in time when nobody confirms it', async () => {
    const scene = await openScene('embedded', { issuer: embeddedIssuer });

    const { run } = await begin(scene, '--login-timeout', '3s');

    expect(await run.ended()).toBe(5);
    expect(run.err()).toMatch(/The login was not finished within 3 s\. Nothing was bound/);
  }, 120_000);
});

describeReal('a login with a device code (real)', () => deviceLogin('real'));
