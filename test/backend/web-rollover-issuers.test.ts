import { emailOf, KIT_PASSWORD, type KitIssuer, startDex, startKeycloak } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { createPlainBrowser } from '@klutch/sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { authorizePath, baseUrl, client, startWebWorld } from './web-world.ts';

const user = { name: 'ada', groups: ['team-red'] };
const registered = {
  id: client.clientId,
  secret: client.clientSecret,
  redirectUris: [`${baseUrl}/callback`],
};

async function logInWithSecrets(issuer: KitIssuer, fields: Readonly<Record<string, string>>): Promise<number> {
  onTestFinished(() => issuer.stop());
  const secrets = ['the-next-secret', client.clientSecret];
  const world = await startWebWorld({ issuerUrl: issuer.url, clientSecrets: { value: secrets } });
  const browser = world.browser();
  const elsewhere = createPlainBrowser({ stopAt: ({ origin }) => origin === baseUrl });
  const start = await browser.get(authorizePath());
  const page = await elsewhere.open(start.location?.href ?? '');
  const back = await elsewhere.submit(page, fields);
  return (await browser.follow(await browser.get(back.url))).status;
}

describeReal('a client secret that the issuer does not know yet', () => {
  it('leaves the code of a login good for the one before it, with Dex', async () => {
    const dex = await startDex({ users: [user], clients: [registered] });

    expect(await logInWithSecrets(dex, { login: emailOf(user), password: KIT_PASSWORD })).toBe(200);
  }, 120_000);

  it('leaves the code of a login good for the one before it, with Keycloak', async () => {
    const keycloak = await startKeycloak({ users: [user], clients: [registered] });

    expect(await logInWithSecrets(keycloak, { username: user.name, password: KIT_PASSWORD })).toBe(200);
  }, 600_000);
});
