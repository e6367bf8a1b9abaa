import { parseBindingProvider, parseBindingResponse } from '@klutch/api';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { type Answer, type Browser, send } from './scripted-browser.ts';
import { offer, scriptedControlPlane } from './scripted-control-plane.ts';
import { baseUrl, startWebWorld, tokenOn, type WebWorld, type WorldOptions } from './web-world.ts';

const apis = [{ group: 'example.org', resource: 'widgets' }];
const ask = { clusterID: 'c1', apis, session: 'sid9' };
const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;

function start(options: WorldOptions = {}): Promise<WebWorld> {
  const offers = [offer('widgets', { claims: [claim] }), offer('gadgets', { allowedTenants: ['team-b'] })];
  return startWebWorld({ plane: scriptedControlPlane(offers), ...options });
}

interface Begun {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

async function begin(world: WebWorld, body: object = ask): Promise<Begun> {
  const answer = await world.post('/device', body);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return answer.json<Begun>();
}

const poll = (world: WebWorld, { device_code }: Begun) => world.post('/device/token', { device_code });
const pathOf = (url: string) => url.slice(baseUrl.length);

/** Logs in, and sends the code that is on the page: somebody follows the link that the command shows. */
async function enter(browser: Browser, begun: Begun): Promise<Answer> {
  const page = await browser.follow(await browser.get(pathOf(begun.verification_uri_complete)));
  expect(page.text).toContain(`value="${begun.user_code}"`);
  return await browser.follow(await type(browser, page, begun.user_code));
}

const type = (browser: Browser, page: Answer, code: string) =>
  browser.post('/device/enter', [
    ['token', tokenOn(page)],
    ['user_code', code],
  ]);

/** Up to the page on which the user decides. */
async function present(world: WebWorld, browser: Browser, begun: Begun): Promise<Answer> {
  const waiting = await enter(browser, begun);
  expect(waiting.text).toContain('<meta http-equiv="refresh" content="2">');
  expect((await poll(world, begun)).json()).toEqual({ error: 'authorization_pending' });
  return await browser.get(pathOf(begun.verification_uri_complete));
}

function decide(browser: Browser, page: Answer, { user_code }: Begun, answer: string, tenant?: string) {
  return browser.post('/device/confirm', [
    ['token', tokenOn(page)],
    ['user_code', user_code],
    ['answer', answer],
    ...(tenant === undefined ? [] : [['tenant', tenant] as const]),
  ]);
}

describe('a login with a device code', () => {
  it('is always offered, next to the code grant that Go commands use', async () => {
    const world = await start();

    const provider = parseBindingProvider((await world.call('/export')).text);

    expect(provider.authenticationMethods.map(({ method }) => method)).toEqual(['OAuth2CodeGrant', 'DeviceCode']);
    expect(provider.authenticationMethods[1]?.deviceCode).toEqual({ deviceURL: `${baseUrl}/device` });
  });

  it('binds when the user has seen who asks for what, and has confirmed it', async () => {
    const world = await start();
    const browser = world.browser();
    const begun = await begin(world);
    expect(begun).toMatchObject({
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${baseUrl}/device`,
      verification_uri_complete: `${baseUrl}/device?user_code=${begun.user_code}`,
      expires_in: 600,
      interval: 2,
    });

    const pending = await poll(world, begun);
    expect(pending.status).toBe(400);
    expect(pending.json()).toEqual({ error: 'authorization_pending' });

    const page = await present(world, browser, begun);
    for (const fact of ['alice', 'c1', begun.user_code, '127.0.0.1', 'widgets.example.org', 'secrets']) {
      expect(page.text).toContain(fact);
    }
    expect(page.text).not.toContain('http-equiv="refresh"');
    expect((await poll(world, begun)).json()).toEqual({ error: 'authorization_pending' });
    expect(world.plane.provisioned).toEqual([]);

    const done = await browser.follow(await decide(browser, page, begun, 'connect'));
    expect(done.text).toContain('You are logged in');
    const answer = await poll(world, begun);
    expect(answer.status).toBe(200);
    expect(parseBindingResponse(answer.text).authentication?.oauth2CodeGrant?.sid).toBe('sid9');
    expect(world.plane.provisioned.map(({ caller }) => caller.subject)).toEqual(['alice']);
    expect((await poll(world, begun)).json()).toMatchObject({ code: 'KLUTCH_SESSION_EXPIRED' });
  });

  it('can go on in another replica at each step', async () => {
    const world = await start();
    const other = await world.replica();
    const browser = world.browser();
    const begun = await begin(world);
    const page = await present(world, browser, begun);
    await decide(browser, page, begun, 'connect');

    const body = JSON.stringify({ device_code: begun.device_code });
    const headers = { 'content-type': 'application/json' };
    const answer = await send(new URL('/device/token', baseUrl), { method: 'POST', headers, body }, other.port);

    expect(answer.status).toBe(200);
  });

  it('lets the user type the code, in whatever way they write it', async () => {
    const world = await start();
    const browser = world.browser();
    const begun = await begin(world);
    const page = await browser.follow(await browser.get('/device'));

    const wrong = await type(browser, page, 'no code');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('This is not a code.');
    const entered = await type(browser, page, ` ${begun.user_code.toLowerCase().replace('-', ' ')} `);
    expect(entered.location?.href).toBe(begun.verification_uri_complete);
  });

  it('ends when the user refuses, and nothing is created', async () => {
    const world = await start();
    const browser = world.browser();
    const begun = await begin(world);

    const page = await present(world, browser, begun);
    const end = await browser.follow(await decide(browser, page, begun, 'refuse'));

    expect(end.text).toContain('Nothing was connected');
    const answer = await poll(world, begun);
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'KLUTCH_LOGIN_DENIED' });
    expect((await decide(browser, page, begun, 'connect')).status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);
    expect(world.audited).toContainEqual(
      expect.objectContaining({ action: 'Bind', what: ['widgets.example.org'], result: 'KLUTCH_LOGIN_DENIED' }),
    );
  });

  it('is for a tenant that the user chooses where there are several', async () => {
    const world = await start({ policy: { tenantGroups: /^team-.+$/ } });
    world.issuer.script.user = { sub: 'alice', groups: ['team-a', 'team-b'] };
    const browser = world.browser();
    const begun = await begin(world);
    const page = await present(world, browser, begun);

    const undecided = await decide(browser, page, begun, 'connect');
    expect(undecided.status).toBe(400);
    expect(undecided.text).toContain('Choose the tenant the app cluster belongs to.');
    await decide(browser, page, begun, 'connect', 'team-b');

    expect((await poll(world, begun)).status).toBe(200);
    expect(world.plane.provisioned.map(({ tenant }) => tenant.name)).toEqual(['team-b']);
  });

  it('is for the tenant that the command names, and for no other', async () => {
    const world = await start({ policy: { tenantGroups: /^team-.+$/ } });
    world.issuer.script.user = { sub: 'alice', groups: ['team-a', 'team-b'] };
    const browser = world.browser();
    const begun = await begin(world, { ...ask, tenant: 'team-a' });

    const page = await present(world, browser, begun);
    expect(page.text).not.toContain('team-b');
    await decide(browser, page, begun, 'connect', 'team-b');

    await poll(world, begun);
    expect(world.plane.provisioned.map(({ tenant }) => tenant.name)).toEqual(['team-a']);
  });

  it.each([
    ['an API that is not offered', { ...ask, apis: [{ group: 'x', resource: 'y' }] }, 404, 'KLUTCH_API_NOT_OFFERED'],
    [
      'an API for others',
      { ...ask, apis: [{ group: 'example.org', resource: 'gadgets' }] },
      403,
      'KLUTCH_NOT_ENTITLED',
    ],
    ['a tenant of others', { ...ask, tenant: 'team-z' }, 403, 'KLUTCH_TENANT_UNDECIDED'],
  ])('tells user and command alike that %s cannot be had', async (_, body, status, code) => {
    const world = await start();
    world.issuer.script.user = { sub: 'alice', groups: ['team-a'] };
    const browser = world.browser();
    const begun = await begin(world, body);

    const page = await present(world, browser, begun);

    expect(page.text).toContain(code);
    expect(await poll(world, begun)).toMatchObject({ status });
    expect((await poll(world, begun)).json()).toMatchObject({ code });
    expect(world.plane.provisioned).toEqual([]);
  });

  it('yields an enrolment token for a bundle, and the user sees that it is for one', async () => {
    const world = await start();
    const browser = world.browser();
    const begun = await begin(world, { clusterID: 'prod', apis, enrolmentSeconds: 7200 });
    expect(await poll(world, begun)).toMatchObject({ status: 401 });
    const pollBundle = () => world.post('/bundle/device/token', { device_code: begun.device_code });

    await enter(browser, begun);
    expect((await pollBundle()).json()).toEqual({ error: 'authorization_pending' });
    const page = await browser.get(pathOf(begun.verification_uri_complete));
    expect(page.text).toContain('the first cluster that a file is applied to within 2 hours');
    await decide(browser, page, begun, 'connect');

    expect((await pollBundle()).json()).toMatchObject({ clusterID: 'prod', token: expect.any(String) as string });
    expect((await pollBundle()).status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('S-8 is subject to the same policy as one in the browser', async () => {
    const world = await start({ policy: { allowAll: false, allowedUsers: ['bob'] } });
    const browser = world.browser();
    const begun = await begin(world);

    const page = await browser.follow(await browser.get(pathOf(begun.verification_uri_complete)));

    expect(page.status).toBe(403);
    expect((await poll(world, begun)).json()).toEqual({ error: 'authorization_pending' });
    expect((await world.post('/device/token', { device_code: 'made-up' })).status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('belongs to the user who typed the code', async () => {
    const world = await start();
    const begun = await begin(world);
    await present(world, world.browser(), begun);
    world.issuer.script.user = { sub: 'mallory' };
    const browser = world.browser();

    const page = await browser.follow(await browser.get('/device'));
    const seen = await browser.get(pathOf(begun.verification_uri_complete));
    const typed = await type(browser, page, begun.user_code);
    const confirmed = await decide(browser, page, begun, 'connect');

    expect([seen.status, typed.status, confirmed.status]).toEqual([403, 403, 403]);
    expect(seen.text).not.toContain('widgets');
    expect((await poll(world, begun)).json()).toEqual({ error: 'authorization_pending' });
  });

  it('BE-29 takes no form from elsewhere, and none of somebody who is not logged in', async () => {
    const world = await start();
    const browser = world.browser();
    const begun = await begin(world);
    const page = await present(world, browser, begun);
    const fields = [
      ['user_code', begun.user_code],
      ['answer', 'connect'],
    ] as const;

    const forged = [
      await browser.post('/device/confirm', fields),
      await browser.post('/device/confirm', [...fields, ['token', tokenOn(page)]], { 'sec-fetch-site': 'cross-site' }),
      await browser.post('/device/enter', fields),
    ];
    const stranger = await world.browser().post('/device/confirm', [...fields, ['token', tokenOn(page)]]);

    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(stranger.status).toBe(401);
    expect((await poll(world, begun)).json()).toEqual({ error: 'authorization_pending' });
    expect(world.plane.provisioned).toEqual([]);
  });

  it('is over after ten minutes', async () => {
    const clock = createManualClock(new Date());
    const world = await start({ clock });
    const begun = await begin(world);

    await clock.advance(10 * 60_000 + 1);

    expect((await poll(world, begun)).json()).toMatchObject({ code: 'KLUTCH_SESSION_EXPIRED' });
  });

  it('S-20 is not begun with a body that cannot be', async () => {
    const world = await start();

    const answer = await world.post('/device', { clusterID: 'c1', apis: [] });

    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({
      code: 'KLUTCH_REQUEST_INVALID',
      message: 'Field apis: expected at least 1 entries.',
    });
  });
});
