import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { kubeconfigOf, offer, scriptedControlPlane, secretMark } from './scripted-control-plane.ts';
import type { Claims } from './scripted-issuer.ts';
import { startWebWorld, type WebWorld, type WorldOptions } from './web-world.ts';

const apis = [{ group: 'example.org', resource: 'widgets' }];
const wanted = { clusterID: 'prod', apis, enrolmentSeconds: 3_600 };
const cluster = { clusterUID: 'uid-1', key: 'k'.repeat(43) };

interface Body {
  readonly code?: string;
  readonly message?: string;
  readonly token: string;
  readonly expiresAt: string;
  readonly clusterID: string;
  readonly kubeconfig?: string;
  readonly requests: readonly { readonly metadata: { readonly name: string } }[];
}

function start(options: WorldOptions = {}): Promise<WebWorld> {
  return startWebWorld({ plane: scriptedControlPlane([offer('widgets', { allowedTenants: ['team-a'] })]), ...options });
}

function machine(world: WebWorld, more: Claims = {}): Record<string, string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: 'pipeline',
    client_id: 'pipeline',
    aud: 'klutch',
    scope: 'klutch/bind',
    iat: now,
    exp: now + 300,
  };
  return { authorization: `Bearer ${world.issuer.sign({ ...claims, ...more })}` };
}

async function bundle(world: WebWorld, body: object = wanted): Promise<{ status: number; body: Body }> {
  const { status, text } = await world.post('/bundle', body, machine(world));
  return { status, body: JSON.parse(text) as Body };
}

async function enrol(world: WebWorld, token: string, who = cluster): Promise<{ status: number; body: Body }> {
  const { status, text } = await world.post('/enrol', { token, ...who });
  return { status, body: JSON.parse(text) as Body };
}

describe('a login for a bundle', () => {
  it('yields a token and no credential, and registers nothing', async () => {
    const world = await start();

    const { status, body } = await bundle(world);

    expect(status).toBe(200);
    expect(body).toMatchObject({ clusterID: 'prod', requests: [{ metadata: { name: 'widgets.example.org' } }] });
    expect(JSON.stringify(body)).not.toContain('kubeconfig');
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect(world.plane.provisioned).toEqual([]);
    expect(world.audited.at(-1)).toMatchObject({ action: 'Enrol', tenant: 'team-a', result: 'success' });
  });

  it.each([
    ['no lifetime', { ...wanted, enrolmentSeconds: undefined }],
    ['a lifetime of more than a week', { ...wanted, enrolmentSeconds: 7 * 86_400 + 1 }],
  ])('is refused with %s', async (_, body) => {
    expect(await bundle(await start(), body)).toMatchObject({ status: 400, body: { code: 'KLUTCH_REQUEST_INVALID' } });
  });

  it('is refused for an API that the tenant may not have', async () => {
    const world = await start({ plane: scriptedControlPlane([offer('widgets', { allowedTenants: ['team-b'] })]) });

    expect(await bundle(world)).toMatchObject({ status: 403, body: { code: 'KLUTCH_NOT_ENTITLED' } });
  });
});

describe('an enrolment token', () => {
  it('is exchanged for a credential, the registration and the exports', async () => {
    const world = await start();
    const { token } = (await bundle(world)).body;

    const { status, body } = await enrol(world, token);

    expect(status).toBe(200);
    expect(Buffer.from(body.kubeconfig ?? '', 'base64').toString()).toBe(kubeconfigOf('cluster-prod'));
    expect(world.plane.provisioned).toMatchObject([
      { cluster: { id: 'prod', uid: 'uid-1' }, tenant: { name: 'team-a' } },
    ]);
    expect(world.plane.requested).toEqual([{ namespace: 'cluster-prod', apis: ['widgets.example.org'] }]);
    expect(world.audited.at(-1)).toEqual({
      action: 'Enrol',
      who: expect.stringMatching(/\/pipeline$/),
      tenant: 'team-a',
      clusterNamespace: 'cluster-prod',
      what: ['widgets.example.org'],
      result: 'success',
    });
  });

  it('can be exchanged again by the same cluster', async () => {
    const world = await start();
    const { token } = (await bundle(world)).body;
    await enrol(world, token);

    expect(await enrol(world, token)).toMatchObject({ status: 200 });
  });

  it.each([
    [
      'another cluster',
      { ...cluster, clusterUID: 'uid-2' },
      /Another cluster has exchanged this bundle.*stolen.*revoke/,
    ],
    [
      'whoever lacks the key',
      { ...cluster, key: 'x'.repeat(43) },
      /the key that was used then is not here.*--cluster-id prod/,
    ],
  ])('is worth nothing to %s afterwards', async (_, other, message) => {
    const world = await start();
    const { token } = (await bundle(world)).body;
    await enrol(world, token);

    const { status, body } = await enrol(world, token, other);

    expect({ status, code: body.code }).toEqual({ status: 409, code: 'KLUTCH_CLUSTER_IDENTITY_TAKEN' });
    expect(body.message).toMatch(message);
    expect(world.plane.provisioned).toHaveLength(1);
    expect(world.audited.at(-1)).toMatchObject({ action: 'Enrol', result: 'KLUTCH_CLUSTER_IDENTITY_TAKEN' });
  });

  it('ends', async () => {
    const clock = createManualClock();
    const world = await start({ clock });
    const { token } = (await bundle(world)).body;
    clock.jump(3_600_000);

    const { status, body } = await enrol(world, token);

    expect({ status, code: body.code }).toEqual({ status: 401, code: 'KLUTCH_ENROLMENT_INVALID' });
    expect(body.message).toContain('Make the bundle again');
  });

  it('is good for nothing else', async () => {
    const world = await start();
    const { token } = (await bundle(world)).body;

    const bearer = { authorization: `Bearer ${token}` };
    expect((await world.post('/bind-noninteractive', { clusterID: 'prod', apis }, bearer)).status).toBe(401);
    expect((await world.post('/rotate', {}, bearer)).status).toBe(401);
    expect((await world.post('/redeem', { code: token, verifier: 'v' })).status).toBe(400);
    expect((await world.post('/device/token', { device_code: token })).status).toBeGreaterThanOrEqual(400);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('is not one when it was made up, or is a ticket of another kind', async () => {
    expect(await enrol(await start(), 'made-up')).toMatchObject({ status: 401 });
  });

  it('does not help a tenant who may not have the API any more', async () => {
    const world = await start();
    const { token } = (await bundle(world)).body;
    world.plane.offers.splice(0, 1, offer('widgets', { allowedTenants: ['team-b'] }));

    expect(await enrol(world, token)).toMatchObject({ status: 403, body: { code: 'KLUTCH_NOT_ENTITLED' } });
    expect(world.plane.provisioned).toEqual([]);
  });

  it('does not bring back a registration that the operator has removed', async () => {
    const world = await start();
    const { token } = (await bundle(world)).body;
    await enrol(world, token);
    world.plane.owners.clear();

    expect(await enrol(world, token)).toMatchObject({ status: 403, body: { code: 'KLUTCH_ACCESS_REVOKED' } });
    expect(world.plane.provisioned).toHaveLength(1);
  });

  it('is in no log line, and neither is the credential', async () => {
    const world = await start();
    const { token } = (await bundle(world)).body;
    await enrol(world, token);
    await enrol(world, token, { ...cluster, clusterUID: 'uid-2' });

    const said = world.lines.join('\n') + JSON.stringify(world.audited);
    expect(said).not.toContain(token);
    expect(said).not.toContain(secretMark);
    expect(said).not.toContain(cluster.key);
  });
});
