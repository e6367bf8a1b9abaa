import { kubeconfigOf, parseBindingResponse } from '@klutch/api';
import * as contract from '@klutch/api/contract';
import { expect, it } from 'vitest';
import type { PolicyOptions } from '../../packages/backend/src/process/options.ts';
import { onOwnPlane } from './exports-world.ts';
import { webFor } from './process-world.ts';
import { openRefusalScene, type RefusalScene } from './refusals-scene.ts';
import type { Claims } from './scripted-issuer.ts';
import { authorizePath, baseUrl, login, submit, tokenOn } from './web-world.ts';

const second = () => Math.floor(Date.now() / 1000);

function machineClaims(more: Claims = {}): Claims {
  const now = second();
  const client = { sub: 'pipeline', client_id: 'pipeline', aud: 'klutch', scope: 'klutch/bind' };
  return { ...client, iat: now, exp: now + 300, ...more };
}

const policy = (more: Partial<PolicyOptions>) => ({ policy: { ...webFor({ url: '' }, baseUrl).policy, ...more } });

/** All that commands and konnectors may call. */
const endpoints = Object.values<unknown>(contract).filter(
  (one): one is contract.Endpoint => typeof one === 'object' && one !== null && 'path' in one,
);

/** That nothing was made, by what the backend sent and by what the control plane has. */
async function expectNothingCreated(scene: RefusalScene): Promise<void> {
  expect(scene.written()).toEqual([]);
  expect(await scene.clusterNamespaces()).toEqual([]);
}

onOwnPlane('a request to the backend', (plane) => {
  it('BE-14 creates nothing when the ID token is not good', async () => {
    const scene = await openRefusalScene(plane());
    const { script } = scene.issuer;
    const attacks: readonly ((claims: Claims) => Claims)[] = [
      (claims) => ({ ...claims, aud: 'somebody-else' }),
      (claims) => ({ ...claims, iss: 'https://evil.example' }),
      (claims) => ({ ...claims, iat: second() - 900, exp: second() - 600 }),
      (claims) => ({ ...claims, nonce: 'x'.repeat(43) }),
    ];
    const statuses: number[] = [];

    for (const alter of attacks) {
      script.alter = alter;
      statuses.push((await login(scene.browser())).status);
    }
    script.alter = (claims) => claims;
    script.forgeSignature = true;
    statuses.push((await login(scene.browser())).status);

    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    await expectNothingCreated(scene);
  });

  it('BE-25 creates nothing when there is no template', async () => {
    const scene = await openRefusalScene(plane());
    const browser = scene.browser();
    const page = await login(browser);
    const before = scene.written();

    const answer = await submit(browser, page, ['nothings.example.org']);

    expect(answer.status).toBe(404);
    expect(scene.written()).toEqual(before);
    expect(await scene.clusterNamespaces()).toEqual([]);
  });

  it('BE-26 creates nothing for somebody outside of the allowed groups', async () => {
    const scene = await openRefusalScene(plane(), policy({ allowAll: false, allowedGroups: ['platform'] }));
    scene.issuer.script.user = { sub: 'eve', name: 'platform', groups: ['interns'] };
    const browser = scene.browser();

    expect((await login(browser)).status).toBe(403);
    expect((await browser.post('/bind', [['api', scene.apis[0].name]])).status).toBe(401);
    await expectNothingCreated(scene);
  });

  it('BE-29 creates nothing and issues no credential when another site sent it', async () => {
    const scene = await openRefusalScene(plane());
    const browser = scene.browser();
    const page = await login(browser);
    const before = scene.written();
    const form = [
      ['token', tokenOn(page)],
      ['api', scene.apis[0].name],
    ] as const;
    const { group, plural } = scene.apis[0].type;

    const navigated = await browser.get(`/bind?s=sid123&resource=${plural}&group=${group}`);
    const posted = [
      await browser.post('/bind', form, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
      await browser.post('/bind', form.slice(1)),
    ];

    expect(navigated.location?.pathname).toBe('/resources');
    expect(posted.map(({ status }) => status)).toEqual([403, 403]);
    expect(posted.map(({ location }) => location)).toEqual([undefined, undefined]);
    expect(scene.written()).toEqual(before);
    expect(await scene.clusterNamespaces()).toEqual([]);
  });

  it('BE-54 binds two APIs at once with the right token of a machine', async () => {
    const scene = await openRefusalScene(plane());

    const answer = await scene.bindAsMachine(machineClaims());

    expect(answer.status).toBe(200);
    const response = parseBindingResponse(answer.text);
    expect(response.requests.map(({ metadata }) => metadata?.name)).toEqual(scene.apis.map(({ name }) => name));
    const [namespace] = await scene.clusterNamespaces();
    expect(kubeconfigOf(response)).toContain(`namespace: ${namespace}`);
  });

  it('BE-55 BE-56 creates nothing when the token is of another client, scope, use, kind or audience', async () => {
    const scene = await openRefusalScene(plane());
    const attacks: readonly [number, Claims][] = [
      [403, { client_id: 'other' }],
      [403, { scope: 'openid' }],
      [401, { token_use: 'id' }],
      [401, { nonce: 'n' }],
      [401, { at_hash: 'h' }],
      [401, { typ: 'ID' }],
      [401, { aud: 'another-service' }],
      [401, { aud: undefined }],
      [401, { exp: second() - 600 }],
      [401, { iss: 'https://evil.example' }],
    ];
    const statuses: number[] = [];

    for (const [, claims] of attacks) statuses.push((await scene.bindAsMachine(machineClaims(claims))).status);

    expect(statuses).toEqual(attacks.map(([status]) => status));
    await expectNothingCreated(scene);
  });

  it('BE-11 creates nothing when it brings codes that the issuer never gave out, however often', async () => {
    const scene = await openRefusalScene(plane());
    const browser = scene.browser();
    const begun = await browser.get(authorizePath());
    const state = begun.location?.searchParams.get('state') ?? '';

    const statuses = [
      (await scene.call('/callback?code=x')).status,
      (await scene.call(`/callback?code=x&state=${encodeURIComponent(state)}`)).status,
      (await browser.get(`/callback?code=x&state=${encodeURIComponent(state)}`)).status,
      (await browser.get(`/callback?code=y&state=${encodeURIComponent(state)}`)).status,
    ];

    expect(statuses).toEqual([400, 400, 400, 400]);
    await expectNothingCreated(scene);
    const finished = await browser.follow(begun);
    expect(finished.status).toBe(200);
  });

  it('creates nothing whichever address is asked without a login', async () => {
    const scene = await openRefusalScene(plane());
    const post = (path: string, body: object, headers = {}) =>
      scene.call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const bogus = { authorization: 'Bearer made-up' };
    const { group, plural } = scene.apis[0].type;
    const device = { clusterID: 'c1', apis: [{ group, resource: plural }] };
    const { device_code: waiting } = (await post('/device', device)).json<{ device_code: string }>();

    const statuses = [
      (await scene.call(authorizePath())).status,
      (await scene.call('/resources')).status,
      (await scene.call('/device')).status,
      (await post('/bind', {})).status,
      (await post('/device/enter', {})).status,
      (await post('/device/confirm', {})).status,
    ];
    const body = { ...device, code: 'x', verifier: 'y', token: 'x', clusterUID: 'u' };
    for (const { method, path } of endpoints) {
      for (const device_code of ['x', waiting]) {
        const options = method === 'GET' ? { headers: bogus } : undefined;
        const answer = await (options
          ? scene.call(`/${path}`, options)
          : post(`/${path}`, { ...body, device_code }, bogus));
        statuses.push(answer.status);
      }
    }

    expect(endpoints.map(({ path }) => path)).toEqual(expect.arrayContaining(['export', 'redeem', 'enrol', 'rotate']));
    expect(statuses.every((status) => status < 500)).toBe(true);
    await expectNothingCreated(scene);
  });
});
