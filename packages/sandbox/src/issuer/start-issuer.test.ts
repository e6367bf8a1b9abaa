import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPlainBrowser } from '../login/plain-browser.ts';
import type { IssuerOptions } from './options.ts';
import { type Issuer, startIssuer } from './start-issuer.ts';
import { beginLogin, discover, post, type TokenAnswer, verifiedClaims } from './testing/test-client.ts';

const web = {
  kind: 'web',
  id: 'backend',
  secret: 'web-secret',
  redirectUris: ['http://127.0.0.1:1/callback'],
  name: 'The Backend',
} as const;
const machine = { kind: 'machine', id: 'pipeline', secret: 'machine-secret' } as const;
const reader = { kind: 'machine', id: 'reader', secret: 'reader-secret', scopes: ['klutch/read'] } as const;
const callback = { id: web.id, redirectUri: web.redirectUris[0] };
const options: IssuerOptions = {
  users: [
    { name: 'ada', password: 'lovelace', groups: ['team-red', 'team-blue'] },
    { name: 'bob', password: 'builder', email: 'bob@tools.example' },
  ],
  clients: [web, machine, reader],
};

async function start(changes: Partial<IssuerOptions> = {}): Promise<Issuer> {
  const issuer = await startIssuer({ ...options, ...changes });
  onTestFinished(() => issuer.stop());
  return issuer;
}

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-issuer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('the embedded issuer', () => {
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer(options);
  });
  afterAll(() => issuer.stop());

  const codeOf = (page: { readonly url: string }) => new URL(page.url).searchParams.get('code') ?? '';
  const redeem = async (code: string, verifier: string) =>
    post<TokenAnswer>(
      (await discover(issuer.url)).token_endpoint,
      { grant_type: 'authorization_code', code, redirect_uri: callback.redirectUri, code_verifier: verifier },
      web,
    );

  it('tells clients what it offers', async () => {
    expect(await discover(issuer.url)).toMatchObject({
      issuer: issuer.url,
      grant_types_supported: expect.arrayContaining([
        'authorization_code',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ]),
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email', 'groups']),
      code_challenge_methods_supported: ['S256'],
      device_authorization_endpoint: expect.stringContaining(issuer.url),
    });
  });

  it('logs a user in on one page and hands name, address and groups to the client', async () => {
    const { browser, page, verifier } = await beginLogin(issuer.url, callback);
    expect(page.text).toContain('Log in to The Backend');
    expect(page.text).toContain('your name, your e-mail address, and the groups you are in');

    const end = await browser.submit(page, { name: 'ada', password: 'lovelace', answer: 'login' });
    expect(new URL(end.url).searchParams.get('state')).toBe('the-state');
    const { id_token } = await redeem(codeOf(end), verifier);
    expect(await verifiedClaims(issuer.url, id_token)).toMatchObject({
      iss: issuer.url,
      aud: web.id,
      sub: 'ada',
      nonce: 'the-nonce',
      name: 'ada',
      preferred_username: 'ada',
      email: 'ada@klutch.example',
      email_verified: true,
      groups: ['team-red', 'team-blue'],
    });
  });

  it('tells nothing that was not asked for', async () => {
    const { browser, page, verifier } = await beginLogin(issuer.url, callback, 'openid');
    const end = await browser.submit(page, { name: 'bob', password: 'builder', answer: 'login' });
    const claims = await verifiedClaims(issuer.url, (await redeem(codeOf(end), verifier)).id_token);
    expect(claims['sub']).toBe('bob');
    for (const claim of ['groups', 'email', 'name']) expect(claims).not.toHaveProperty(claim);
  });

  it('does not ask again in the same browser', async () => {
    const { browser, page } = await beginLogin(issuer.url, callback);
    await browser.submit(page, { name: 'ada', password: 'lovelace', answer: 'login' });
    const { authorization_endpoint } = await discover(issuer.url);
    const query = new URLSearchParams({
      client_id: web.id,
      redirect_uri: callback.redirectUri,
      response_type: 'code',
      scope: 'openid',
    });
    expect(codeOf(await browser.open(`${authorization_endpoint}?${query.toString()}`))).not.toBe('');
  });

  it('refuses a code without the PKCE verifier it belongs to', async () => {
    const { browser, page } = await beginLogin(issuer.url, callback);
    const end = await browser.submit(page, { name: 'ada', password: 'lovelace', answer: 'login' });
    expect(await redeem(codeOf(end), 'x'.repeat(43))).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it.each([
    ['a wrong password', 'ada', 'byron'],
    ['an unknown name', '<b>eve</b>', 'lovelace'],
    ['nothing', '', ''],
  ])('stays on the page after %s, and says why', async (_, name, password) => {
    const { browser, page } = await beginLogin(issuer.url, callback);
    const again = await browser.submit(page, { name, password, answer: 'login' });
    expect(again.status).toBe(401);
    expect(again.text).toContain('role="alert"');
    expect(again.text).not.toContain('<b>eve');
    expect(again.forms[0]?.fields).toContainEqual(['name', name]);
    if (password !== '') expect(again.text).not.toContain(password);
    const end = await browser.submit(again, { name: 'ada', password: 'lovelace', answer: 'login' });
    expect(codeOf(end)).not.toBe('');
  });

  it('tells the client when the user cancels', async () => {
    const { browser, page } = await beginLogin(issuer.url, callback);
    const end = await browser.submit(page, { answer: 'cancel' });
    expect(new URL(end.url).searchParams.get('error')).toBe('access_denied');
  });

  it('needs no script, allows none, and is not kept or framed', async () => {
    const { page } = await beginLogin(issuer.url, callback);
    expect(page.text).not.toContain('<script');
    const headers = (await fetch(`${issuer.url}/login/unknown`)).headers;
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; frame-anc/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('explains a login that belongs to nobody, and one to an unknown client', async () => {
    const stray = await fetch(`${issuer.url}/login/unknown`);
    expect(stray.status).toBe(400);
    expect(await stray.text()).toContain('Start it again.');
    const { page } = await beginLogin(issuer.url, { id: 'nobody', redirectUri: callback.redirectUri });
    expect(page.status).toBe(400);
    expect(page.text).toContain('This login cannot go on');
  });

  it('refuses a form that is far too large', async () => {
    const { browser, page } = await beginLogin(issuer.url, callback);
    expect((await browser.submit(page, { name: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('does not send the browser to an address the client did not register', async () => {
    const { page } = await beginLogin(issuer.url, { id: web.id, redirectUri: 'http://127.0.0.1:1/elsewhere' });
    expect(page).toMatchObject({ status: 400, url: expect.stringContaining(issuer.url) });
  });

  it('gives machines access tokens that a server can check by itself', async () => {
    const { token_endpoint } = await discover(issuer.url);
    const request = { grant_type: 'client_credentials', scope: 'klutch/bind' };
    const { access_token } = await post<TokenAnswer>(token_endpoint, request, machine);
    expect(await verifiedClaims(issuer.url, access_token)).toMatchObject({
      iss: issuer.url,
      aud: 'klutch',
      client_id: machine.id,
      sub: machine.id,
      scope: 'klutch/bind',
      exp: expect.any(Number),
    });
  });

  it('leaves out scopes that nobody has', async () => {
    const { token_endpoint } = await discover(issuer.url);
    const request = { grant_type: 'client_credentials', scope: 'klutch/read klutch/rule' };
    const { access_token } = await post<TokenAnswer>(token_endpoint, request, reader);
    expect((await verifiedClaims(issuer.url, access_token))['scope']).toBe('klutch/read');
  });

  it.each([
    ['a scope that others have', { grant_type: 'client_credentials', scope: 'klutch/bind' }, reader, 400],
    ['a wrong secret', { grant_type: 'client_credentials' }, { ...machine, secret: 'guess' }, 401],
    ['a client that is none', { grant_type: 'client_credentials' }, web, 400],
  ])('refuses machines with %s', async (_, request, client, status) => {
    const { token_endpoint } = await discover(issuer.url);
    expect(await post<TokenAnswer>(token_endpoint, request, client)).toMatchObject({
      status,
      error: expect.any(String),
    });
  });
});

describe('logging in with a device code', () => {
  async function ask(issuer: Issuer) {
    const { device_authorization_endpoint } = await discover(issuer.url);
    return post<{
      device_code: string;
      user_code: string;
      verification_uri: string;
      verification_uri_complete: string;
    }>(device_authorization_endpoint, { client_id: web.id, scope: 'openid groups' }, web);
  }
  async function poll(issuer: Issuer, device_code: string) {
    const { token_endpoint } = await discover(issuer.url);
    return post<TokenAnswer>(
      token_endpoint,
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code },
      web,
    );
  }

  it('gives the token to the device once the user has confirmed the code and logged in', async () => {
    const issuer = await start();
    const asked = await ask(issuer);
    expect(await poll(issuer, asked.device_code)).toMatchObject({ error: 'authorization_pending' });

    const browser = createPlainBrowser();
    const codePage = await browser.open(asked.verification_uri);
    const confirmPage = await browser.submit(codePage, { user_code: asked.user_code.toLowerCase() });
    expect(confirmPage.text).toContain('The Backend');
    const login = await browser.submit(confirmPage, { confirm: 'yes' });
    const end = await browser.submit(login, { name: 'ada', password: 'lovelace', answer: 'login' });
    expect(end.text).toContain('The device is connected');

    const { id_token } = await poll(issuer, asked.device_code);
    expect(await verifiedClaims(issuer.url, id_token)).toMatchObject({
      sub: 'ada',
      aud: web.id,
      groups: ['team-red', 'team-blue'],
    });
  });

  it('takes the code from the address, too', async () => {
    const issuer = await start();
    const asked = await ask(issuer);
    const browser = createPlainBrowser();
    const confirmPage = await browser.submit(await browser.open(asked.verification_uri_complete), {});
    expect(confirmPage.text).toContain(asked.user_code);
  });

  it('asks again for a code that no device shows', async () => {
    const issuer = await start();
    const browser = createPlainBrowser();
    const codePage = await browser.open(`${issuer.url}/device`);
    const again = await browser.submit(codePage, { user_code: 'NOPE-NOPE' });
    expect(again.text).toContain('No device shows this code.');
    expect(again.forms[0]?.fields).toContainEqual(['user_code', 'NOPE-NOPE']);
    expect((await browser.submit(again, { user_code: '' })).text).toContain('Type the code');
  });

  it('refuses the device when the user says no', async () => {
    const issuer = await start();
    const asked = await ask(issuer);
    const browser = createPlainBrowser();
    const confirmPage = await browser.submit(await browser.open(asked.verification_uri), {
      user_code: asked.user_code,
    });
    expect((await browser.submit(confirmPage, { abort: 'yes' })).text).toContain('The device is not connected');
    expect(await poll(issuer, asked.device_code)).toMatchObject({ error: 'access_denied' });
  });
});

describe('life of the embedded issuer', () => {
  it('says nothing on the screen, whatever it does', async () => {
    const screens = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
    onTestFinished(() => screens.forEach((screen) => screen.mockRestore()));
    const issuer = await start({ autoLogin: 'ada' });
    const { page, verifier } = await beginLogin(issuer.url, callback);
    const { token_endpoint } = await discover(issuer.url);
    await post(token_endpoint, { grant_type: 'client_credentials', scope: 'klutch/bind' }, machine);
    const code = new URL(page.url).searchParams.get('code') ?? '';
    const answer = await post<TokenAnswer>(
      token_endpoint,
      { grant_type: 'authorization_code', code, redirect_uri: callback.redirectUri, code_verifier: verifier },
      web,
    );
    expect((await verifiedClaims(issuer.url, answer.id_token))['sub']).toBe('ada');
    for (const screen of screens) expect(screen).not.toHaveBeenCalled();
  });

  it('keeps its keys in a folder that only its user can read', async () => {
    const dir = join(await scratchFolder(), 'issuer');
    const token = async (issuer: Issuer) => {
      const { token_endpoint } = await discover(issuer.url);
      return (await post<TokenAnswer>(token_endpoint, { grant_type: 'client_credentials' }, machine)).access_token;
    };
    const first = await startIssuer({ ...options, dir });
    const old = await token(first);
    await first.stop();
    expect((await stat(join(dir, 'keys.json'))).mode & 0o777).toBe(0o600);

    const second = await start({ dir });
    expect((await verifiedClaims(second.url, old))['iss']).toBe(first.url);
    const other = await start();
    await expect(verifiedClaims(other.url, old)).rejects.toThrow('no published key');
  });

  it('does not overwrite or quote a file with keys that it cannot read', async () => {
    const dir = await scratchFolder();
    await writeFile(join(dir, 'keys.json'), '{"d":"private');
    await expect(startIssuer({ ...options, dir })).rejects.toThrow(/keys\.json holds no keys of an issuer/);
    await expect(startIssuer({ ...options, dir })).rejects.not.toThrow(/private/);
    expect(await readFile(join(dir, 'keys.json'), 'utf8')).toBe('{"d":"private');
  });

  it('rejects when its port is taken, and when autoLogin names nobody', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => void holder.close());
    const { port } = holder.address() as AddressInfo;
    await expect(startIssuer({ ...options, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(startIssuer({ ...options, autoLogin: 'eve' })).rejects.toThrow('eve');
  });

  it('ends although somebody keeps a connection open, and frees its port', async () => {
    const issuer = await startIssuer(options);
    await (await fetch(`${issuer.url}/jwks`)).text();
    await Promise.all([issuer.stop(), issuer.stop()]);
    await start({ port: Number(new URL(issuer.url).port) });
  });
});
