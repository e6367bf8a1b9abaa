import { describe, expect, it } from 'vitest';
import { secretMark } from './scripted-control-plane.ts';
import { login, startWebWorld, submit, type WebWorld } from './web-world.ts';

const widgets = 'widgets.example.org';
const apis = [{ group: 'example.org', resource: 'widgets' }];

async function bindAsMachine(world: WebWorld, more: Readonly<Record<string, unknown>> = {}) {
  const claims = {
    sub: 'p',
    client_id: 'pipeline',
    aud: 'klutch',
    scope: 'klutch/bind',
    exp: Date.now() / 1000 + 300,
    ...more,
  };
  const authorization = `Bearer ${world.issuer.sign(claims)}`;
  return await world.post('/bind-noninteractive', { clusterID: 'c1', apis }, { authorization });
}

describe('the audit record of requests', () => {
  it('says who logged in and bound what for which tenant', async () => {
    const world = await startWebWorld({ policy: { tenantGroups: /^(team-.*)$/u } });
    world.issuer.script.user = { sub: 'alice', groups: ['team-a'] };
    const browser = world.browser();

    await submit(browser, await login(browser), [widgets]);

    const who = `${world.issuer.url}/alice`;
    expect(world.audited).toEqual([
      { action: 'Login', who, what: ['team-a'], result: 'success' },
      { action: 'Bind', who, tenant: 'team-a', clusterNamespace: 'cluster-cid456', what: [widgets], result: 'success' },
    ]);
  });

  it('says who was refused, and why', async () => {
    const world = await startWebWorld({ policy: { allowAll: false, allowedUsers: ['bob'] } });

    await login(world.browser());
    await bindAsMachine(world, { sub: 'm', client_id: 'other' });
    await bindAsMachine(world, { sub: 'm', client_id: 'robot' });
    world.plane.offers.splice(0);
    await bindAsMachine(world);

    const { url } = world.issuer;
    expect(world.audited).toMatchObject([
      { action: 'Login', who: `${url}/alice`, result: 'KLUTCH_NOT_ENTITLED' },
      { action: 'Login', who: `${url}/m`, result: 'KLUTCH_NOT_ENTITLED' },
      { action: 'Login', who: `${url}/m`, result: 'success' },
      { action: 'Bind', who: `${url}/m`, tenant: 'client:robot', what: [widgets], result: 'success' },
      { action: 'Login', who: `${url}/p`, result: 'success' },
      { action: 'Bind', who: `${url}/p`, what: [widgets], result: 'KLUTCH_CLUSTER_IDENTITY_TAKEN' },
    ]);
  });

  it('says which app cluster rotated its credential and unbound what', async () => {
    const world = await startWebWorld();
    const authorization = 'Bearer tenant-token-cluster-1';

    await world.post('/rotate', {}, { authorization });
    await world.post('/rotate/finish', {}, { authorization });
    await world.post('/unbind', { apis }, { authorization });

    const who = 'system:serviceaccount:cluster-1:klutch-binder';
    const common = { who, tenant: 'team-a', clusterNamespace: 'cluster-1', result: 'success' };
    expect(world.audited).toEqual([
      { action: 'Rotate', ...common },
      { action: 'Rotate', ...common, what: ['all other credentials'] },
      { action: 'Unbind', ...common, what: [widgets] },
    ]);
  });

  it('S-10 holds no token, code or kubeconfig', async () => {
    const world = await startWebWorld();
    const browser = world.browser();

    const done = await submit(browser, await login(browser), [widgets]);
    await bindAsMachine(world);

    const text = JSON.stringify(world.audited);
    expect(world.audited.length).toBeGreaterThan(2);
    for (const secret of [
      secretMark,
      ...world.issuer.codes,
      ...browser.cookies.values(),
      done.location?.searchParams.get('response') ?? 'absent',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
