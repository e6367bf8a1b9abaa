import { kubeconfigOf, parseBindingResponse } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { Claims } from './scripted-issuer.ts';
import { kubeconfigOf as scriptedKubeconfig, offer, scriptedControlPlane } from './scripted-control-plane.ts';
import { baseUrl, startWebWorld, type WebWorld, type WorldOptions } from './web-world.ts';

const apis = [
  { group: 'example.org', resource: 'widgets' },
  { group: 'example.org', resource: 'gadgets' },
];
const second = () => Math.floor(Date.now() / 1000);

/** Claims of a client-credentials token for the backend. */
function machineClaims(more: Claims = {}): Claims {
  const now = second();
  return {
    sub: 'pipeline',
    client_id: 'pipeline',
    token_use: 'access',
    aud: 'klutch',
    scope: 'klutch/bind',
    iat: now,
    exp: now + 300,
    ...more,
  };
}

function start(options: WorldOptions = {}): Promise<WebWorld> {
  return startWebWorld({ plane: scriptedControlPlane([offer('widgets'), offer('gadgets')]), ...options });
}

async function bind(world: WebWorld, claims: Claims, body: unknown = { clusterID: 'my-cluster', apis }) {
  return await world.post('/bind-noninteractive', body, { authorization: `Bearer ${world.issuer.sign(claims)}` });
}

describe('a machine with an access token', () => {
  it('BE-54 binds two APIs for the tenant of its client', async () => {
    const world = await start();

    const answer = await bind(world, machineClaims());

    expect(answer.status).toBe(200);
    const response = parseBindingResponse(answer.text);
    expect(response.requests.map(({ metadata }) => metadata?.name)).toEqual([
      'widgets.example.org',
      'gadgets.example.org',
    ]);
    expect(kubeconfigOf(response)).toBe(scriptedKubeconfig('cluster-my-cluster'));
    expect(world.plane.provisioned).toEqual([
      {
        cluster: { id: 'my-cluster' },
        tenant: { identity: JSON.stringify(['group', world.issuer.url, 'team-a']), name: 'team-a' },
        caller: expect.objectContaining({ kind: 'machine', clientId: 'pipeline' }),
      },
    ]);
  });

  it('BE-54 may come from Keycloak, where the client is the authorised party', async () => {
    const world = await start();
    const { client_id: _client, token_use: _use, ...claims } = machineClaims();

    const answer = await bind(world, {
      ...claims,
      azp: 'robot',
      typ: 'Bearer',
      aud: ['account', baseUrl],
      scope: 'email klutch/bind',
    });

    expect(answer.status).toBe(200);
    expect(world.plane.provisioned[0]?.tenant).toEqual({
      identity: JSON.stringify(['client', world.issuer.url, 'robot']),
      name: 'client:robot',
    });
  });

  it('BE-54 may come from Cognito, whose access tokens have no audience, if the operator says so', async () => {
    const clients = new Map([['pipeline', 'team-a']]);
    const world = await start({
      policy: { machines: { scope: 'klutch/bind', clients, audiences: [], allowNoAudience: true } },
    });

    expect((await bind(world, machineClaims({ aud: undefined }))).status).toBe(200);
    expect((await bind(world, machineClaims({ aud: 'other-service' }))).status).toBe(401);
    expect((await bind(world, machineClaims({ aud: undefined, client_id: 'other' }))).status).toBe(403);
  });

  it.each<[string, number, Claims]>([
    ['BE-55 S-8 of a client that is not listed', 403, { client_id: 'other' }],
    ['BE-55 S-8 without the scope', 403, { scope: 'openid' }],
    ['BE-55 S-8 with a scope that only begins like it', 403, { scope: 'klutch/bind:x klutch/bin' }],
    ['BE-55 for another use', 401, { token_use: 'id' }],
    ['BE-55 for another audience', 401, { aud: ['account', 'other-service'] }],
    ['BE-55 for no audience', 401, { aud: undefined }],
    ['BE-55 of another issuer', 401, { iss: 'https://evil.example' }],
    ['BE-55 that has expired', 401, { exp: second() - 600 }],
    ['BE-55 that does not expire', 401, { exp: undefined }],
    ['BE-55 that names two clients', 401, { azp: 'other' }],
    ['BE-56 S-6 which is an ID token', 401, { nonce: 'n', aud: 'pipeline' }],
    ['BE-56 S-6 which is an ID token of Keycloak', 401, { typ: 'ID' }],
    ['BE-56 S-6 which is a refresh token of Keycloak', 401, { typ: 'Refresh' }],
  ])('%s is refused, and nothing is created', async (_, status, claims) => {
    const world = await start();

    const answer = await bind(world, machineClaims(claims));

    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual({ code: expect.stringMatching(/^KLUTCH_/), message: expect.any(String) });
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-56 S-6 an ID token of a login of the backend itself is refused', async () => {
    const world = await start({
      policy: { machines: { scope: 'openid', audiences: ['klutch'], clients: new Map([['klutch', undefined]]) } },
    });
    const now = second();

    const answer = await bind(world, { sub: 'alice', aud: 'klutch', azp: 'klutch', iat: now, exp: now + 300 });

    expect(answer.status).toBe(403);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('S-6 a forged signature, no signature, and no token at all are refused', async () => {
    const world = await start();
    const good = world.issuer.sign(machineClaims());
    const [header = '', payload = '', signature = ''] = good.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${none}.${payload}.`,
      'x.y.z',
    ];

    for (const authorization of [...forged.map((token) => `Bearer ${token}`), 'Basic dTpw', '']) {
      const answer = await world.post('/bind-noninteractive', { clusterID: 'c', apis }, { authorization });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect(world.plane.provisioned).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no cluster id', { apis }, 'clusterID'],
    ['a cluster id that cannot be', { clusterID: 'a b', apis }, 'clusterID'],
    ['no API', { clusterID: 'c', apis: [] }, 'apis'],
    ['an API without resource', { clusterID: 'c', apis: [{ group: 'g' }] }, 'resource'],
    ['an API that cannot be', { clusterID: 'c', apis: [{ resource: '../secrets' }] }, 'apis[0]'],
    ['no object', 'text', 'body'],
    ['too many APIs', { clusterID: 'c', apis: Array.from({ length: 101 }, () => apis[0]) }, 'apis'],
  ])('S-20 a body with %s is refused with the name of the field', async (_, body, field) => {
    const world = await start();

    const answer = await bind(world, machineClaims(), body);

    expect(answer.status).toBe(400);
    expect(answer.json().message).toContain(field);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-25 of which one API is not offered is refused as a whole, before anything is created', async () => {
    const world = await start();
    const asked = [...apis, { group: 'example.org', resource: 'nothings' }];

    const answer = await bind(world, machineClaims(), { clusterID: 'c', apis: asked });

    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'KLUTCH_API_NOT_OFFERED' });
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-57 S-12 that calls too often is told to wait, while others are served', async () => {
    const world = await start({ options: { limits: { perSubject: 20, perAddress: 100_000 } } });

    const statuses: number[] = [];
    for (let call = 0; call < 100; call += 1) statuses.push((await bind(world, machineClaims())).status);
    const refused = await bind(world, machineClaims());
    const other = await bind(world, machineClaims({ sub: 'robot', client_id: 'robot' }), {
      clusterID: 'another',
      apis,
    });

    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    expect(refused.json()).toMatchObject({ code: 'KLUTCH_RATE_LIMITED' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(other.status).toBe(200);
  });
});

describe('an app cluster with its own credential', () => {
  const authorization = 'Bearer tenant-token-cluster-1';

  it('rotates it, and ends the others', async () => {
    const world = await start();

    const rotated = await world.call('/rotate', { method: 'POST', headers: { authorization } });
    const finished = await world.call('/rotate/finish', { method: 'POST', headers: { authorization } });

    const kubeconfig = Buffer.from(scriptedKubeconfig('cluster-1')).toString('base64');
    expect(rotated.json()).toEqual({ namespace: 'cluster-1', kubeconfig });
    expect(finished.status).toBe(204);
    expect(world.plane.retired).toEqual(['cluster-1']);
  });

  it('ends the registration of its app cluster', async () => {
    const world = await start();

    expect((await world.call('/release', { method: 'POST', headers: { authorization } })).status).toBe(204);
    expect(world.plane.released).toEqual(['cluster-1']);
  });

  it('withdraws APIs, and sees the catalogue of its tenant', async () => {
    const plane = scriptedControlPlane([
      offer('widgets', { allowedTenants: ['team-a'] }),
      offer('gadgets', { allowedTenants: ['team-b'] }),
    ]);
    const world = await start({ plane });

    expect((await world.post('/unbind', { apis }, { authorization })).status).toBe(204);
    expect(plane.withdrawn).toEqual([{ namespace: 'cluster-1', apis }]);
    expect((await world.call('/catalogue', { headers: { authorization } })).json()).toEqual({
      apis: [
        {
          name: 'widgets.example.org',
          group: 'example.org',
          resource: 'widgets',
          kind: 'Widget',
          scope: 'Namespaced',
          versions: ['v1'],
          permissionClaims: [],
        },
      ],
    });
  });

  it.each([
    ['POST', '/rotate'],
    ['POST', '/rotate/finish'],
    ['POST', '/unbind'],
    ['POST', '/release'],
    ['GET', '/catalogue'],
  ])('S-16 %s %s needs it', async (method, path) => {
    const world = await start();

    for (const authorization of ['', 'Bearer made-up']) {
      const answer = await world.call(path, { method, headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain('widgets');
    }
    expect([world.plane.withdrawn, world.plane.retired, world.plane.released]).toEqual([[], [], []]);
  });
});
