import { kubeconfigOf, parseBindingResponse } from '@klutch/api';
import { createAuthority } from '@klutch/kit';
import { systemClock } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { createPlainBrowser, startIssuer } from '@klutch/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIssuer } from '../../packages/backend/src/login/create-issuer.ts';
import { kubeconfigOf as scriptedKubeconfig } from './scripted-control-plane.ts';
import { startScriptedIssuer } from './scripted-issuer.ts';
import { authorizePath, baseUrl, client, linesLogger, startWebWorld, submit } from './web-world.ts';

const widgets = 'widgets.example.org';
const apis = [{ group: 'example.org', resource: 'widgets' }];

describe('a certified issuer', () => {
  it('logs people in, through its own page, with their groups as tenants', async () => {
    const issuerUrl = await embeddedIssuer();
    const world = await startWebWorld({
      issuerUrl,
      policy: { allowAll: false, allowedGroups: ['team-red'], tenantGroups: /^team-(.+)$/ },
    });
    const backend = world.browser();
    const elsewhere = createPlainBrowser({ stopAt: ({ origin }) => origin === baseUrl });

    const start = await backend.get(authorizePath());
    const loginPage = await elsewhere.open(start.location?.href ?? '');
    const back = await elsewhere.submit(loginPage, { name: 'ada', password: 'lovelace', answer: 'login' });
    const page = await backend.follow(await backend.get(back.url));
    const done = await submit(backend, page, [widgets], [['tenant', 'blue']]);

    expect(done.status).toBe(303);
    expect(world.plane.provisioned).toEqual([
      {
        cluster: { id: 'cid456' },
        tenant: { identity: JSON.stringify(['group', issuerUrl, 'blue']), name: 'blue' },
        caller: expect.objectContaining({ subject: 'ada', issuer: issuerUrl, email: 'ada@klutch.example' }),
      },
    ]);
  });

  it('BE-54 BE-55 lets machines in by client credentials, with the scope, and no others', async () => {
    const issuerUrl = await embeddedIssuer();
    const world = await startWebWorld({ issuerUrl });
    const bind = async (id: string, scope: string) => {
      const authorization = `Bearer ${await machineToken(issuerUrl, id, scope)}`;
      return await world.post('/bind-noninteractive', { clusterID: 'ci', apis }, { authorization });
    };

    const good = await bind('pipeline', 'klutch/bind');
    expect(good.status).toBe(200);
    expect(kubeconfigOf(parseBindingResponse(good.text))).toBe(scriptedKubeconfig('cluster-ci'));
    expect((await bind('stranger', 'klutch/bind')).status).toBe(403);
    expect((await bind('pipeline', 'klutch/read')).json()).toMatchObject({
      code: 'KLUTCH_NOT_ENTITLED',
      message: expect.stringContaining('klutch/bind'),
    });
    expect(world.plane.provisioned).toHaveLength(1);
  });

  async function embeddedIssuer(): Promise<string> {
    const machine = { kind: 'machine', secret: 'machine-secret', scopes: ['klutch/bind', 'klutch/read'] } as const;
    const issuer = await startIssuer({
      users: [{ name: 'ada', password: 'lovelace', groups: ['team-red', 'team-blue', 'all'] }],
      clients: [
        { kind: 'web', id: client.clientId, secret: client.clientSecret, redirectUris: [`${baseUrl}/callback`] },
        { ...machine, id: 'pipeline' },
        { ...machine, id: 'stranger' },
      ],
    });
    onTestFinished(() => issuer.stop());
    return issuer.url;
  }

  async function machineToken(issuerUrl: string, id: string, scope: string): Promise<string> {
    const answer = await fetch(`${issuerUrl}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${id}:machine-secret`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  }
});

describe('an issuer with a certificate of its own authority', () => {
  it('is trusted when the backend was given that authority, and not otherwise', async () => {
    const authority = await createAuthority('issuer authority');
    const issued = await authority.issue({ commonName: 'issuer', usage: 'server', ipAddresses: ['127.0.0.1'] });
    const issuer = await startScriptedIssuer({ ...client, tls: { cert: issued.certificate, key: issued.key } });
    onTestFinished(() => issuer.close());
    const lines: string[] = [];

    const trusting = open(issuer.url, lines, authority.certificate);
    await eventually(() => isFound(trusting), { withinMs: 30_000 });
    const claims = { sub: 's', exp: Math.floor(Date.now() / 1000) + 60 };
    expect(await trusting.verifyAccessToken(issuer.sign(claims))).toMatchObject({ iss: issuer.url, sub: 's' });

    const wary = open(issuer.url, lines);
    await eventually(() => lines.some((line) => line.includes('does not answer')), { withinMs: 30_000 });
    expect(isFound(wary)).toBe(false);
  });

  it('S-13 is not looked for over http unless it is on this machine or the operator says so', async () => {
    const lines: string[] = [];

    const issuer = open('http://issuer.example.invalid', lines);
    await eventually(() => lines.some((line) => line.includes('does not answer')), { withinMs: 30_000 });

    expect(lines.join()).toMatch(/HTTPS/i);
    expect(() => issuer.check()).toThrow(expect.objectContaining({ code: 'KLUTCH_ISSUER_UNREACHABLE' }));
  });

  function open(url: string, lines: string[], ca?: string) {
    const abort = new AbortController();
    const issuer = createIssuer({
      issuer: {
        url,
        clientId: client.clientId,
        clientSecrets: { value: [client.clientSecret] },
        callbackUrl: `${baseUrl}/callback`,
        scopes: ['openid'],
        otherClientIds: [],
        ca,
      },
      signal: abort.signal,
      log: linesLogger(lines),
      clock: systemClock,
    });
    onTestFinished(async () => {
      abort.abort();
      await issuer.stopped;
    });
    return issuer;
  }

  function isFound(issuer: { check(): void }): boolean {
    try {
      issuer.check();
      return true;
    } catch {
      return false;
    }
  }
});
