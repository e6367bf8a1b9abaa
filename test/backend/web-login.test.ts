import { parseBindingProvider } from '@klutch/api';
import { createManualClock, eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createBrowser } from './scripted-browser.ts';
import { authorizePath, baseUrl, login, startWebWorld, submit } from './web-world.ts';

describe('what a backend tells about itself', () => {
  it('BE-01 is a BindingProvider with one code grant and a version that commands accept', async () => {
    const world = await startWebWorld();

    for (const path of ['/export', '/exports']) {
      const answer = await world.call(path);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toContain('application/json');
      expect(parseBindingProvider(answer.text)).toEqual({
        apiVersion: 'v1alpha1',
        kind: 'BindingProvider',
        providerPrettyName: 'Acme Cloud',
        version: 'v1.2.3',
        authenticationMethods: [
          { method: 'OAuth2CodeGrant', oauth2CodeGrant: { authenticatedURL: `${baseUrl}/authorize` } },
          { method: 'DeviceCode', deviceCode: { deviceURL: `${baseUrl}/device` } },
        ],
      });
    }
  });

  it('BE-02 carries the configured name', async () => {
    const world = await startWebWorld({ prettyName: 'Acme' });

    expect((await world.call('/export')).json()).toMatchObject({ providerPrettyName: 'Acme' });
  });

  it('BE-03 S-13 names the configured https address, whatever host a request claims', async () => {
    const world = await startWebWorld();
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };

    const answer = await world.call('/export', { headers: forged });

    expect(answer.text).toContain(`${baseUrl}/authorize`);
    expect(answer.text).not.toContain('evil');
  });
});

describe('the way to the identity provider', () => {
  it('BE-04 leads to its authorization endpoint with client, redirect URI and state', async () => {
    const world = await startWebWorld();

    const { status, location } = await world.browser().get(authorizePath());

    expect(status).toBe(302);
    expect(`${location?.origin}${location?.pathname}`).toBe(`${world.issuer.url}/auth`);
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      response_type: 'code',
      client_id: 'klutch',
      redirect_uri: `${baseUrl}/callback`,
      state: expect.stringMatching(/.{50,}/),
    });
  });

  it('BE-05 S-7 carries nonce and PKCE, asks for no offline access, and ties the login to the browser', async () => {
    const world = await startWebWorld();
    const browser = world.browser();

    const first = await browser.get(authorizePath());
    const second = await browser.get(authorizePath());

    const query = first.location?.searchParams;
    expect(query?.get('code_challenge_method')).toBe('S256');
    expect(query?.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(query?.get('nonce')).toMatch(/^[\w-]{43}$/);
    expect(query?.get('scope')?.split(' ')).not.toContain('offline_access');
    expect(second.location?.searchParams.get('nonce')).not.toBe(query?.get('nonce'));
    expect(second.location?.searchParams.get('code_challenge')).not.toBe(query?.get('code_challenge'));
    expect(first.setCookies).toEqual([
      expect.stringMatching(/^__Host-klutch=[\w-]{43}; Max-Age=1200; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it.each(['p', 's', 'c'])('BE-06 says that parameter %s is missing', async (name) => {
    const world = await startWebWorld();
    const query = new URLSearchParams({ p: '43210', s: 'sid', c: 'cid' });
    query.delete(name);

    const { status, text } = await world.call(`/authorize?${query.toString()}`);

    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`Parameter ${name}: .* is missing`));
  });

  it.each([
    ['BE-07 S-2 for a target elsewhere', { u: 'https://evil.example/x' }],
    ['BE-07 S-2 for a target that only begins like the own machine', { u: 'http://localhost.evil.example:80/x' }],
    ['BE-07 S-2 for a target with the own machine as user', { u: 'http://localhost:1@evil.example/x' }],
    ['BE-08 S-2 for a host hidden behind the port', { p: '1@evil.example' }],
    ['BE-09 for port 0', { p: '0' }],
    ['BE-09 for a port that is too high', { p: '70000' }],
    ['BE-09 for a port that is no number', { p: 'abc' }],
    ['S-2 for a port in another base', { p: '0x50' }],
    ['S-12 for a cluster id with other signs', { c: 'a/b' }],
    ['S-12 for a cluster id that is too long', { c: 'x'.repeat(65) }],
    ['for two values of one parameter', { p: ['1', '2'] }],
    ['for a challenge that is none', { x: 'short' }],
    ['for an API that cannot be', { a: 'Not An API' }],
  ])('%s sends nobody anywhere', async (_, parameters) => {
    const world = await startWebWorld();

    const answer = await world.call(authorizePath(parameters));

    expect(answer.status).toBe(400);
    expect(answer.location).toBeUndefined();
    expect(answer.setCookies).toEqual([]);
    expect(answer.text).not.toContain('evil');
  });
});

describe('the way back from the identity provider', () => {
  it('BE-10 S-2 ends when the state was altered or made up', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const sent = await browser.get((await browser.get(authorizePath())).location ?? '');
    const callback = new URL(sent.location ?? '');
    const state = callback.searchParams.get('state') ?? '';
    const parts = state.split('.');
    const made = Buffer.from(JSON.stringify({ redirectURL: 'http://evil.example', sid: 's', cid: 'c' })).toString(
      'base64',
    );
    const altered = `${parts.slice(0, 3).join('.')}.${flipped(parts[3] ?? '')}.${parts[4]}`;

    for (const forged of [altered, made, '', `${state}x`]) {
      callback.searchParams.set('state', forged);
      const answer = await browser.get(callback);
      expect(answer.status).toBe(400);
      expect(answer.setCookies).toEqual([]);
    }
    expect(world.issuer.tokensIssued).toBe(0);
  });

  it('BE-11 ends when the login took more than ten minutes', async () => {
    const clock = createManualClock(new Date());
    const world = await startWebWorld({ clock });
    const browser = world.browser();
    const sent = await browser.get((await browser.get(authorizePath())).location ?? '');

    clock.jump(601_000);

    expect((await browser.get(sent.location ?? '')).status).toBe(400);
    expect(world.issuer.tokensIssued).toBe(0);
  });

  it('BE-11 ends when the state was used before, also at another replica', async () => {
    const world = await startWebWorld();
    const other = await world.replica();
    const browser = world.browser();
    const begun = await browser.get(authorizePath());
    const [sent, sentAgain] = [await browser.get(begun.location ?? ''), await browser.get(begun.location ?? '')];
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const replica = createBrowser(baseUrl, () => other.port);

    const first = await browser.get(sent.location ?? '');
    const sameCode = await browser.get(sent.location ?? '');
    const sameCodeElsewhere = await replica.get(sent.location ?? '', { cookie });
    const otherCodeElsewhere = await replica.get(sentAgain.location ?? '', { cookie });

    expect([first, sameCode, sameCodeElsewhere, otherCodeElsewhere].map(({ status }) => status)).toEqual([
      302, 400, 400, 400,
    ]);
    expect(sameCode.text).toContain('does not accept this login any more');
    expect(otherCodeElsewhere.text).toContain('finished already');
  });

  it('BE-12 S-2 ends in a browser that did not begin the login', async () => {
    const world = await startWebWorld();
    const attacker = world.browser();
    const sent = await attacker.get((await attacker.get(authorizePath())).location ?? '');
    const victim = world.browser();
    await victim.get(authorizePath());

    for (const browser of [victim, world.browser()]) {
      const answer = await browser.get(sent.location ?? '');
      expect(answer.status).toBe(400);
      expect(answer.setCookies).toEqual([]);
    }
    expect(world.issuer.tokensIssued).toBe(0);
  });

  it('BE-13 S-20 explains a refusal of the identity provider on a page, without repeating its text', async () => {
    const world = await startWebWorld();
    world.issuer.script.refuse = 'access_denied';

    const answer = await login(world.browser());

    expect(answer.status).toBe(403);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.text).toContain('refused the login');
    expect(answer.text).not.toMatch(/<script|decoder|alert\(/i);
  });

  it('BE-17 waits for an issuer that is down at the start, and works without a restart when it is there', async () => {
    const world = await startWebWorld({ isIssuerDown: true });

    expect((await world.call('/healthz')).json()).toEqual({ status: 'ok' });
    const refused = await world.browser().get(authorizePath());
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');

    await world.issuer.resume();
    await eventually(async () => (await world.browser().get(authorizePath())).status === 302, { withinMs: 30_000 });

    expect((await login(world.browser())).status).toBe(200);
  });

  it('tells that the issuer is down when it goes away later', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const sent = await browser.get((await browser.get(authorizePath())).location ?? '');
    await world.issuer.pause();

    const answer = await browser.get(sent.location ?? '');

    expect(answer.status).toBe(503);
    expect(answer.text).toContain('KLUTCH_ISSUER_UNREACHABLE');
  });

  it('BE-62 can be taken at another replica than the login began at', async () => {
    const world = await startWebWorld();
    const other = await world.replica();
    let port = world.port;
    const browser = createBrowser(baseUrl, () => port);

    const sent = await browser.get((await browser.get(authorizePath())).location ?? '');
    port = other.port;
    const page = await browser.follow(await browser.get(sent.location ?? ''));
    port = world.port;
    const done = await submit(browser, page, ['widgets.example.org']);

    expect(done.status).toBe(303);
    expect(world.plane.provisioned).toHaveLength(1);
  });
});

function flipped(text: string): string {
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
}
