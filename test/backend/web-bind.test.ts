import { decodeBindingResponse, KlutchError, kubeconfigOf } from '@klutch/api';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { kubeconfigOf as scriptedKubeconfig, offer, scriptedControlPlane } from './scripted-control-plane.ts';
import { baseUrl, login, startWebWorld, submit, tokenOn } from './web-world.ts';

const widgets = 'widgets.example.org';
const claims = [{ resource: 'secrets', version: 'v1', selector: { owner: 'Provider' as const }, required: true }];

describe('the catalogue', () => {
  it('BE-18 S-16 is shown to nobody who is not logged in', async () => {
    const world = await startWebWorld();

    const answer = await world.browser().get('/resources');

    expect(answer.status).toBe(302);
    expect(answer.location?.href).toMatch(`${world.issuer.url}/auth`);
    expect(answer.text).not.toContain('widget');
  });

  it('can be looked at without a command, but then nothing can be bound', async () => {
    const world = await startWebWorld();
    const browser = world.browser();

    const page = await browser.follow(await browser.get('/resources'));

    expect(page.status).toBe(200);
    expect(page.text).toContain(widgets);
    expect(page.text).toContain(`klutch bind ${baseUrl}/export`);
    expect(page.text).not.toContain('<form');
    expect((await browser.post('/bind', [['api', widgets]])).status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-19 shows every API once, by name, with user, cluster and target', async () => {
    const world = await startWebWorld({ plane: scriptedControlPlane([offer('widgets'), offer('gadgets')]) });

    const { text } = await login(world.browser());

    expect([...text.matchAll(/name="api" value="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'gadgets.example.org',
      widgets,
    ]);
    for (const fact of ['Alice Adams', 'cid456', 'localhost:43210', 'user:alice@example.com'])
      expect(text).toContain(fact);
  });

  it('S-20 escapes whatever people call themselves', async () => {
    const world = await startWebWorld();
    world.issuer.script.user = { sub: 'x', name: '"><script>alert(1)</script>' };

    const { text } = await login(world.browser());

    expect(text).not.toContain('<script');
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('BE-27 S-8 leaves out what is offered to another tenant, and refuses to bind it', async () => {
    const plane = scriptedControlPlane([offer('widgets', { allowedTenants: ['team-t'] }), offer('gadgets')]);
    const world = await startWebWorld({ plane, policy: { tenantGroups: /^(team-.)$/ } });
    world.issuer.script.user = { sub: 'u', groups: ['team-u'] };
    const browser = world.browser();

    const page = await login(browser);
    const answer = await submit(browser, page, [widgets]);

    expect(page.text).toContain('gadgets.example.org');
    expect(page.text).not.toContain(widgets);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('KLUTCH_NOT_ENTITLED');
    expect(plane.provisioned).toEqual([]);
  });

  it('BE-20 does not offer cluster-scoped APIs, and refuses a hand-made request for one', async () => {
    const plane = scriptedControlPlane([offer('widgets'), offer('planets', { scope: 'Cluster' })]);
    const world = await startWebWorld({ plane });
    const browser = world.browser();

    const page = await login(browser);
    const answer = await submit(browser, page, ['planets.example.org']);

    expect(page.text).not.toContain('planets');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('KLUTCH_API_SCOPE_REFUSED');
    expect(plane.provisioned).toEqual([]);
  });

  it('ticks beforehand what the command or an old link asks for', async () => {
    const world = await startWebWorld({ plane: scriptedControlPlane([offer('widgets'), offer('gadgets')]) });
    const browser = world.browser();
    const ticked = (text: string) => [...text.matchAll(/value="([^"]+)" checked/g)].map(([, name]) => name);

    expect(ticked((await login(browser, { a: [widgets] })).text)).toEqual([widgets]);
    await login(browser);
    const link = await browser.get('/bind?s=sid123&resource=gadgets&group=example.org');
    expect(link.status).toBe(303);
    expect(ticked((await browser.follow(link)).text)).toEqual(['gadgets.example.org']);
    expect(world.plane.provisioned).toEqual([]);
  });
});

describe('a bind in the browser', () => {
  it('BE-21 leads to the command with an answer that the Go CLI decodes', async () => {
    const world = await startWebWorld({ plane: scriptedControlPlane([offer('widgets', { claims })]) });
    const browser = world.browser();

    const { status, location } = await submit(browser, await login(browser), [widgets]);

    expect(status).toBe(303);
    expect(`${location?.origin}${location?.pathname}`).toBe('http://localhost:43210/callback');
    const parameter = location?.searchParams.get('response') ?? '';
    expect(parameter).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(location?.search).not.toContain('+');
    const response = decodeBindingResponse(parameter);
    expect(response.authentication?.oauth2CodeGrant).toEqual({ sid: 'sid123', id: `${world.issuer.url}/alice` });
    expect(kubeconfigOf(response)).toBe(scriptedKubeconfig('cluster-cid456'));
    expect(response.requests).toEqual([
      {
        apiVersion: 'klutch.anynines.com/v1alpha1',
        kind: 'APIServiceExportRequest',
        metadata: { name: widgets },
        spec: { resources: [{ group: 'example.org', resource: 'widgets', permissionClaims: claims }] },
      },
    ]);
  });

  it('binds several APIs at once', async () => {
    const world = await startWebWorld({ plane: scriptedControlPlane([offer('widgets'), offer('gadgets')]) });
    const browser = world.browser();

    const { location } = await submit(browser, await login(browser), [widgets, 'gadgets.example.org', widgets]);

    const { requests } = decodeBindingResponse(location?.searchParams.get('response') ?? '');
    expect(requests.map(({ metadata }) => metadata?.name)).toEqual([widgets, 'gadgets.example.org']);
    expect(world.plane.provisioned).toHaveLength(1);
  });

  it('passes on which cluster it is for, and who asked', async () => {
    const world = await startWebWorld();
    const browser = world.browser();

    await submit(browser, await login(browser, { f: '0b0d1f2a-1111-2222-3333-444455556666' }), [widgets]);

    expect(world.plane.provisioned).toEqual([
      {
        cluster: { id: 'cid456', uid: '0b0d1f2a-1111-2222-3333-444455556666' },
        tenant: { identity: JSON.stringify(['user', world.issuer.url, 'alice']), name: 'user:alice@example.com' },
        caller: expect.objectContaining({ subject: 'alice', issuer: world.issuer.url, clientId: 'klutch' }),
      },
    ]);
  });

  it('BE-25 S-12 of something without template is refused before anything is created', async () => {
    const world = await startWebWorld();
    const browser = world.browser();

    const answer = await submit(browser, await login(browser), ['nothings.example.org']);

    expect(answer.status).toBe(404);
    expect(answer.text).toContain('KLUTCH_API_NOT_OFFERED');
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-26 S-8 by somebody outside of the allowed groups is refused, and nothing is created', async () => {
    const world = await startWebWorld({ policy: { allowAll: false, allowedGroups: ['platform'] } });
    world.issuer.script.user = { sub: 'eve', name: 'platform', groups: ['interns'] };
    const browser = world.browser();

    const answer = await login(browser);

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('KLUTCH_NOT_ENTITLED');
    expect((await browser.post('/bind', [['api', widgets]])).status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);

    world.issuer.script.user = { sub: 'bob', groups: ['platform'] };
    expect((await login(world.browser())).status).toBe(200);
  });

  it('BE-32 of a cluster of another tenant is refused before anything is shown', async () => {
    const world = await startWebWorld();
    world.plane.owners.set('cid456', { identity: 'somebody', name: 'team-t' });

    const answer = await login(world.browser());

    expect(answer.status).toBe(409);
    expect(answer.text).not.toContain(widgets);
  });

  it('asks again, without a new login, when nothing or no tenant was chosen', async () => {
    const world = await startWebWorld({ policy: { tenantGroups: /^(team-.)$/ } });
    world.issuer.script.user = { sub: 'a', groups: ['team-a', 'team-b', 'other'] };
    const browser = world.browser();
    const page = await login(browser);

    const nothing = await submit(browser, page, [], [['tenant', 'team-b']]);
    const noTenant = await submit(browser, page, [widgets]);
    const foreign = await submit(browser, page, [widgets], [['tenant', 'team-c']]);
    const done = await submit(browser, page, [widgets], [['tenant', 'team-b']]);

    expect(nothing.status).toBe(400);
    expect(nothing.text).toContain('Choose at least one API');
    expect(nothing.text).toMatch(/value="team-b" required checked/);
    expect(noTenant.status).toBe(400);
    expect(noTenant.text).toContain('Choose the tenant');
    expect(foreign.status).toBe(403);
    expect(done.status).toBe(303);
    expect(world.plane.provisioned.map(({ tenant }) => tenant.name)).toEqual(['team-b']);
  });

  it('takes the tenant of a registered cluster without asking', async () => {
    const world = await startWebWorld({ policy: { tenantGroups: /^(team-.)$/ } });
    world.issuer.script.user = { sub: 'a', groups: ['team-a', 'team-b'] };
    const identity = JSON.stringify(['group', world.issuer.url, 'team-b']);
    world.plane.owners.set('cid456', { identity, name: 'team-b' });
    const browser = world.browser();

    const page = await login(browser);
    const done = await submit(browser, page, [widgets]);

    expect(page.text).not.toContain('type="radio"');
    expect(done.status).toBe(303);
    expect(world.plane.provisioned[0]?.tenant.identity).toBe(identity);
  });

  it('tells on a page what the control plane refuses', async () => {
    const world = await startWebWorld();
    world.plane.failure = new KlutchError(
      'KLUTCH_ACCESS_REVOKED',
      'The operator has revoked the access of this app cluster.',
    );
    const browser = world.browser();

    const answer = await submit(browser, await login(browser), [widgets]);

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('revoked the access');
  });
});

describe('a bind that somebody else wants', () => {
  it('BE-29 S-2 is refused when another site navigates or posts with the cookies of the victim', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const page = await login(browser);
    const form = [
      ['token', tokenOn(page)],
      ['api', widgets],
    ] as const;

    const navigated = await browser.get(`/bind?s=sid123&resource=widgets&group=example.org`);
    const attacks = [
      await browser.post('/bind', form, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }),
      await browser.post('/bind', form, { 'sec-fetch-site': 'same-site' }),
      await browser.post('/bind', [['api', widgets]]),
      await browser.post('/bind', [
        ['token', 'x'.repeat(43)],
        ['api', widgets],
      ]),
      await browser.post('/bind', [
        ['token', ''],
        ['api', widgets],
      ]),
    ];

    expect(navigated.location?.pathname).toBe('/resources');
    expect(attacks.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-29 S-2 is refused by the origin in browsers that tell no more', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const page = await login(browser);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body = new URLSearchParams({ token: tokenOn(page), api: widgets }).toString();
    const post = (origin: string) =>
      world.call('/bind', {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });

    expect((await post('https://evil.example')).status).toBe(403);
    expect(world.plane.provisioned).toEqual([]);
    expect((await post(baseUrl)).status).toBe(303);
  });

  it('BE-29 S-2 is refused with the session of one browser and the cookie of another', async () => {
    const world = await startWebWorld();
    const [victim, attacker] = [world.browser(), world.browser()];
    const page = await login(victim);
    await login(attacker);
    const cookie = `__Host-klutch=${attacker.cookies.get('__Host-klutch')}; __Host-klutch-session=${victim.cookies.get('__Host-klutch-session')}`;
    const body = new URLSearchParams({ token: tokenOn(page), api: widgets }).toString();

    const answer = await world.call('/bind', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });

    expect(answer.status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-30 S-11 S-2 is refused when a session is used again, here or at another replica', async () => {
    const world = await startWebWorld();
    const other = await world.replica();
    const browser = world.browser();
    const page = await login(browser);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: tokenOn(page), api: widgets }).toString(),
    };
    const { send } = await import('./scripted-browser.ts');

    const statuses = [
      (await world.call('/bind', request)).status,
      (await world.call('/bind', request)).status,
      (await send(new URL('/bind', baseUrl), request, other.port)).status,
    ];

    expect(statuses).toEqual([303, 401, 401]);
    expect(world.plane.provisioned).toHaveLength(1);
  });

  it('S-11 is refused after ten minutes', async () => {
    const clock = createManualClock(new Date());
    const world = await startWebWorld({ clock });
    const browser = world.browser();
    const page = await login(browser);

    clock.jump(601_000);
    const answer = await submit(browser, page, [widgets]);

    expect(answer.status).toBe(401);
    expect(answer.text).toContain('KLUTCH_SESSION_EXPIRED');
    expect(world.plane.provisioned).toEqual([]);
  });
});
