import { describe, expect, it } from 'vitest';
import type { Claims } from './scripted-issuer.ts';
import { login, startWebWorld, submit } from './web-world.ts';

const second = () => Math.floor(Date.now() / 1000);

describe('an ID token', () => {
  it.each<[string, (claims: Claims) => Claims]>([
    ['for another client', (claims) => ({ ...claims, aud: 'somebody-else' })],
    ['for another client besides', (claims) => ({ ...claims, aud: ['klutch', 'somebody-else'], azp: 'klutch' })],
    ['of another authorised party', (claims) => ({ ...claims, azp: 'somebody-else' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['that has expired', (claims) => ({ ...claims, iat: second() - 900, exp: second() - 600 })],
    ['that does not expire', (claims) => ({ ...claims, exp: undefined })],
    ['that is not valid yet', (claims) => ({ ...claims, nbf: second() + 600 })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'x'.repeat(43) })],
    ['without nonce', (claims) => ({ ...claims, nonce: undefined })],
    ['S-18 without subject', (claims) => ({ ...claims, sub: undefined })],
    ['S-18 with an empty subject', (claims) => ({ ...claims, sub: ' ' })],
  ])('BE-14 S-6 %s is refused, and nothing is created', async (_, alter) => {
    const world = await startWebWorld();
    world.issuer.script.alter = alter;
    const browser = world.browser();

    const answer = await login(browser);

    expect(answer.status).toBe(401);
    expect(answer.text).toContain('KLUTCH_TOKEN_INVALID');
    expect(answer.setCookies).toEqual([]);
    expect(world.plane.provisioned).toEqual([]);
  });

  it('BE-14 S-6 with a signature of another key is refused', async () => {
    const world = await startWebWorld();
    world.issuer.script.forgeSignature = true;

    const answer = await login(world.browser());

    expect(answer.status).toBe(401);
    expect(answer.setCookies).toEqual([]);
  });

  it('is accepted for further clients that are listed, when it names the backend as authorised party', async () => {
    const world = await startWebWorld({ otherClientIds: ['dashboard'] });
    const browser = world.browser();

    world.issuer.script.alter = (claims) => ({ ...claims, aud: ['klutch', 'dashboard'], azp: 'klutch' });
    expect((await login(browser)).status).toBe(200);

    world.issuer.script.alter = (claims) => ({ ...claims, aud: ['klutch', 'dashboard'] });
    expect((await login(world.browser())).status).toBe(401);
  });

  it('is accepted by clocks that differ a little', async () => {
    const world = await startWebWorld();
    world.issuer.script.alter = (claims) => ({ ...claims, iat: second() - 300, exp: second() - 10 });

    expect((await login(world.browser())).status).toBe(200);
  });

  it('is accepted after the issuer has changed its keys', async () => {
    const world = await startWebWorld();
    expect((await login(world.browser())).status).toBe(200);

    world.issuer.rotateKeys();

    expect((await login(world.browser())).status).toBe(200);
  });
});

describe('what a browser keeps', () => {
  it('BE-15 S-11 works with an access token of 6 KB and many groups, as neither is kept', async () => {
    const world = await startWebWorld();
    world.issuer.script.accessTokenLength = 6 * 1024;
    const groups = Array.from({ length: 300 }, (_, index) => `department-${index}/project-${index * 7}`);
    world.issuer.script.user = { sub: 'alice', groups };
    const browser = world.browser();

    const page = await login(browser);

    expect(page.status).toBe(200);
    expect((await submit(browser, page, ['widgets.example.org'])).status).toBe(303);
  });

  it('keeps a hundred tenants, and says when there are too many', async () => {
    const world = await startWebWorld({ policy: { tenantGroups: /^team:(.+)$/ } });
    const teams = (count: number) => Array.from({ length: count }, (_, index) => `team:product-development-${index}`);

    world.issuer.script.user = { sub: 'alice', groups: teams(100) };
    expect((await login(world.browser())).status).toBe(200);

    world.issuer.script.user = { sub: 'alice', groups: teams(5_000) };
    const answer = await login(world.browser());
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('5000 tenants');
  });

  it('BE-16 S-11 does not grow with the number of binds, and is out of reach of scripts and other sites', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const sizes: number[] = [];

    for (let bind = 0; bind < 10; bind += 1) {
      const page = await login(browser, { s: `sid${bind}` });
      sizes.push([...browser.cookies].reduce((sum, [name, value]) => sum + name.length + value.length, 0));
      expect((await submit(browser, page, ['widgets.example.org'])).status).toBe(303);
    }

    // Random parts differ by a few characters once they are packed.
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(40);
    expect(sizes[0]).toBeLessThan(1_500);
    expect([...browser.cookies.keys()]).toEqual(['__Host-klutch']);
  });

  it('S-11 is Secure, HttpOnly, SameSite, for this host alone, and over in minutes', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const sent = await browser.get((await browser.get('/authorize?p=1&s=a&c=b')).location ?? '');

    const { setCookies } = await browser.get(sent.location ?? '');

    expect(setCookies).toEqual([
      expect.stringMatching(/^__Host-klutch-session=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });

  it('S-11 S-7 holds no token of the identity provider, readable or sealed', async () => {
    const world = await startWebWorld();
    world.issuer.script.accessTokenLength = 20_000;
    const browser = world.browser();
    await login(browser);

    const kept = [...browser.cookies.values()].join('');

    // What is sealed does not shrink below the size of a random part; 20,000 characters of token could not hide in it.
    expect(kept.length).toBeLessThan(1_500);
    expect(kept).not.toContain('alice');
  });
});
