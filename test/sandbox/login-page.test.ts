import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { launchBrowser } from '@klutch/kit';
import { describeWithBrowser } from '@klutch/kit/vitest';
import { startIssuer } from '@klutch/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Issuer = Awaited<ReturnType<typeof startIssuer>>;

describeWithBrowser('the login page of the embedded issuer', () => {
  let browser: Browser;
  let issuer: Issuer;
  let client: ReturnType<typeof createServer>;
  let start: string;

  beforeAll(async () => {
    // The client, as far as the page is concerned: somewhere else to come back to.
    client = createServer((request, response) => void response.end(`arrived at ${request.url}`));
    client.listen(0, '127.0.0.1');
    await once(client, 'listening');
    const redirectUri = `http://localhost:${(client.address() as AddressInfo).port}/callback`;
    issuer = await startIssuer({
      users: [{ name: 'ada', password: 'lovelace', groups: ['red'] }],
      clients: [{ kind: 'web', id: 'backend', name: 'The Backend', secret: 's', redirectUris: [redirectUri] }],
    });
    const query = new URLSearchParams({
      client_id: 'backend',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid groups',
    });
    start = `${issuer.url}/auth?${query.toString()}`;
    browser = await launchBrowser();
  }, 200_000);
  afterAll(async () => {
    await browser?.close();
    await issuer?.stop();
    client?.closeAllConnections();
    client?.close();
  });

  const patience = { timeout: 200_000 };
  async function open(options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext(options);
    // The machine may have other things to do.
    context.setDefaultTimeout(90_000);
    return { context, page: await context.newPage() };
  }

  it.each([true, false])('leads back with the keyboard alone; scripts allowed: %s', patience, async (scripts) => {
    const { context, page } = await open({ javaScriptEnabled: scripts });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(start);
    expect(await page.title()).toBe('Log in to The Backend');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('This name and password do not go together.');
    await page.getByLabel('Password').fill('lovelace');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(/\/callback\?code=/);
    expect(problems.filter((text) => !text.includes('401'))).toEqual([]);
    await context.close();
  });

  it('lets the user cancel without filling anything in', patience, async () => {
    const { context, page } = await open();
    await page.goto(start);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(/\/callback\?error=access_denied/);
    await context.close();
  });

  it('works on a narrow screen, in the dark, and names what is handed over', patience, async () => {
    const { context, page } = await open({ viewport: { width: 320, height: 600 }, colorScheme: 'dark' });
    await page.goto(start);
    expect(await page.getByText('By logging in you let The Backend know').textContent()).toContain(
      'the groups you are in',
    );
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow).toBe(0);
    await context.close();
  });
});
