import { APIServiceBindings, appCluster as names, ConditionType, isConditionTrue } from '@klutch/api';
import { emailOf, KIT_PASSWORD, launchBrowser, startDex, startKeycloak } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { openScene, type Scene } from './scene.ts';

const user = { name: 'ada', groups: ['team-payments'] };
const clientOf = (callbackUrl: string) => ({ id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] });

/** Binds as a person at a desk: the command prints an address, and everything else happens in a real browser. */
async function bindInBrowser(scene: Scene, logIn: (page: Page) => Promise<void>): Promise<void> {
  const run = scene.klutch(['bind', scene.provider, '--no-browser', '--accept-claims', 'all', '--wait']);
  const [url] = await run.says(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  await logIn(page);
  await page.waitForURL(/\/resources/);
  await page.getByRole('checkbox').first().check();
  await page.locator('form button[type=submit], form input[type=submit]').first().click();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  expect(page.url()).not.toMatch(/code|response/);

  expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
  const ref = { namespace: names.namespace, name: scene.api.name };
  const binding = await scene.app.admin.resource(APIServiceBindings).get(ref);
  expect(isConditionTrue(binding.status?.conditions, ConditionType.Ready)).toBe(true);
}

/** Binds on a machine without a browser: somebody types the code into a real browser elsewhere, and confirms. */
async function bindWithDeviceCode(scene: Scene, logIn: (page: Page) => Promise<void>): Promise<void> {
  const args = ['bind', scene.provider, '--device-code', '--api', scene.api.name, '--accept-claims', 'all', '--wait'];
  const run = scene.klutch(args);
  const [, code = '', url = ''] = await run.says(/compare the code (\S+):\s+(http:\/\/\S+)/);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url.replace(/\?.*/, ''));
  await logIn(page);
  await page.getByLabel('Code that the command shows').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Connect this app cluster?' }).waitFor();
  expect(await page.getByRole('main').innerText()).toMatch(
    new RegExp(`${code}[\\s\\S]*127\\.0\\.0\\.1[\\s\\S]*${scene.api.name}`),
  );
  await page.getByRole('button', { name: 'Connect this app cluster' }).click();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();

  expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
  const ref = { namespace: names.namespace, name: scene.api.name };
  const binding = await scene.app.admin.resource(APIServiceBindings).get(ref);
  expect(isConditionTrue(binding.status?.conditions, ConditionType.Ready)).toBe(true);
}

async function logInAtDex(page: Page): Promise<void> {
  await page.fill('input[name=login]', emailOf(user));
  await page.fill('input[name=password]', KIT_PASSWORD);
  await page.click('button[type=submit]');
}

async function logInAtKeycloak(page: Page): Promise<void> {
  await page.fill('input[name=username]', user.name);
  await page.fill('input[name=password]', KIT_PASSWORD);
  await page.click('[type=submit]');
}

describeReal('a login with the pages of the identity provider (real)', () => {
  it('binds an API through Dex', async () => {
    const scene = await openScene('real', {
      issuer: (callbackUrl) => startDex({ users: [user], clients: [clientOf(callbackUrl)] }),
    });

    await bindInBrowser(scene, logInAtDex);
  }, 400_000);

  it('binds an API through Keycloak', async () => {
    const scene = await openScene('real', {
      issuer: (callbackUrl) => startKeycloak({ users: [user], clients: [clientOf(callbackUrl)] }),
    });

    await bindInBrowser(scene, logInAtKeycloak);
  }, 600_000);

  it('binds an API by a device code, with a login at Dex', async () => {
    const scene = await openScene('real', {
      issuer: (callbackUrl) => startDex({ users: [user], clients: [clientOf(callbackUrl)] }),
    });

    await bindWithDeviceCode(scene, logInAtDex);
  }, 400_000);

  it('binds an API by a device code, with a login at Keycloak', async () => {
    const scene = await openScene('real', {
      issuer: (callbackUrl) => startKeycloak({ users: [user], clients: [clientOf(callbackUrl)] }),
    });

    await bindWithDeviceCode(scene, logInAtKeycloak);
  }, 600_000);
});
