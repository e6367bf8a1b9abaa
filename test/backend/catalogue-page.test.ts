import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeBindingResponse, type PermissionClaim, type ServiceDescription } from '@klutch/api';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from './real-browser.ts';
import { offer, scriptedControlPlane } from './scripted-control-plane.ts';
import { authorizePath, startWebWorld, type WorldOptions } from './web-world.ts';

const executablePath = findChromium();
// On a developer's machine a browser may be missing; where the whole suite counts, it must not.
const isSkipped = executablePath === undefined && !process.env['CI'];

const secretClaims: readonly PermissionClaim[] = [
  {
    resource: 'secrets',
    version: 'v1',
    selector: { owner: 'Provider' },
    required: true,
    onConflict: { recreateWhenConsumerSideDeleted: true },
  },
  { resource: 'configmaps', version: 'v1', selector: { owner: 'Consumer', names: ['trust-bundle'] } },
];

const offers = [
  offer('postgresqlinstances', {
    description: 'PostgreSQL databases of a size you choose, with backups and point-in-time recovery.',
  }),
  offer('servicebindings', { description: 'Users and passwords for data services.', claims: secretClaims }),
  offer('backups', { claims: [{ resource: 'secrets', version: 'v1' }] }),
];

/** What a catalogue tells, long and foreign enough to be a test of the layout. */
const mariadb: ServiceDescription = {
  displayName: 'MariaDB & friends',
  description: 'Relational databases that speak the protocol of MySQL.',
  documentation: 'https://example.org/mariadb?version=10.11&lang=en',
  versions: [{ name: 'a9s-mariadb106' }, { name: 'a9s-mariadb1011' }],
  plans: [
    {
      name: 'mariadb-single-nano-ssl',
      cost: '12 EUR per month',
      limits: { memory: '1Gi', storage: '3Gi' },
    },
    { name: 'mariadb-cluster-big-ssl', description: 'three nodes', limits: { memory: '16Gi', storage: '100Gi' } },
  ],
};

describe.skipIf(isSkipped)(
  'the catalogue page in Chromium (skipped: no chromium, chromium-browser or google-chrome found)',
  () => {
    let chrome: Browser;
    beforeAll(async () => {
      if (executablePath === undefined) throw new Error('No Chromium found; set CHROME_PATH.');
      chrome = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await chrome?.close();
    });

    it('takes several APIs at once without JavaScript, and leads to the command', async () => {
      const { page, command } = await openCatalogue({ javaScriptEnabled: false });

      await page.getByRole('checkbox', { name: /^Postgresqlinstance/ }).check();
      await page.getByText('servicebindings.example.org').click();
      await page.getByRole('button', { name: 'Bind the chosen APIs' }).click();

      const target = await command.called;
      const { requests } = decodeBindingResponse(target.searchParams.get('response') ?? '');
      expect(requests.map(({ metadata }) => metadata?.name)).toEqual([
        'postgresqlinstances.example.org',
        'servicebindings.example.org',
      ]);
      expect(await page.textContent('body')).toBe('Return to your terminal.');
    });

    it('can be used with the keyboard alone, in the order of the page', async () => {
      const { page, command } = await openCatalogue({}, severalTenants);
      const focused: string[] = [];

      for (let step = 0; step < 5; step += 1) {
        await page.keyboard.press('Tab');
        focused.push(await page.evaluate('document.activeElement.value || document.activeElement.textContent.trim()'));
        if (step < 2) await page.keyboard.press('Space');
      }
      expect(focused).toEqual([
        'team-a',
        'backups.example.org',
        'postgresqlinstances.example.org',
        'servicebindings.example.org',
        'Bind the chosen APIs',
      ]);
      await page.keyboard.press('Enter');

      expect((await command.called).searchParams.get('response')).not.toBeNull();
    });

    it('says what each claim means, who is logged in, for which cluster, and where the credential goes', async () => {
      const { page, command } = await openCatalogue();

      const text = (await page.innerText('main')).replaceAll(/\s+/g, ' ');

      for (const fact of [
        'Signed in as Alice Adams',
        'App cluster cid456',
        `the command waiting on this machine at localhost:${command.port}`,
        'The provider wants to write secrets of its own into your cluster; yours are neither read nor changed.',
        'If you delete one of the provider’s objects, it is created again. Required',
        'The provider wants to read your configmaps: copies of them go to the provider – only those named trust-bundle. Optional',
        'The provider wants to read your secrets, copies of which go to the provider, and to write secrets of its own into your cluster.',
      ]) {
        expect(text).toContain(fact);
      }
    });

    it.each([390, 1280])('tells what the catalogue tells about a service, at %i pixels', async (width) => {
      const told = scriptedControlPlane([offer('mariadbinstances', { service: mariadb }), ...offers]);
      const { page } = await openCatalogue({ viewport: { width, height: 844 } }, { plane: told });

      await page.getByText('2 plans').click();

      const text = (await page.locator('.api', { hasText: 'MariaDB' }).innerText()).replaceAll(/\s+/g, ' ');
      for (const fact of [
        'MariaDB & friends Mariadbinstance · mariadbinstances.example.org · v1 · in namespaces',
        'Relational databases that speak the protocol of MySQL.',
        'Versions: a9s-mariadb106, a9s-mariadb1011',
        'Plan You get Cost mariadb-single-nano-ssl memory 1Gi, storage 3Gi 12 EUR per month',
        'mariadb-cluster-big-ssl three nodes, memory 16Gi, storage 100Gi',
      ]) {
        expect(text).toContain(fact);
      }
      const link = page.getByRole('link', { name: 'Documentation of MariaDB & friends' });
      expect(await link.getAttribute('href')).toBe(mariadb.documentation);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await weakTexts(page)).toEqual([]);
      await shoot(page, `service-${width}`);
    });

    it('gives every field a name, headings an order, and a language', async () => {
      const { page } = await openCatalogue({}, severalTenants);
      const devtools = await page.context().newCDPSession(page);

      const { nodes } = await devtools.send('Accessibility.getFullAXTree');

      const named = nodes
        .filter(({ role }) => ['checkbox', 'radio', 'button', 'group', 'heading'].includes(String(role?.value)))
        .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '') }));
      expect(named.filter(({ name }) => name.trim() === '')).toEqual([]);
      const namesOf = (wanted: string) => named.filter(({ role }) => role === wanted).map(({ name }) => name);
      expect(namesOf('radio')).toEqual(['team-a', 'team-b']);
      expect(namesOf('checkbox').map((name) => name.split(' ')[0])).toEqual([
        'Backup',
        'Postgresqlinstance',
        'Servicebinding',
      ]);
      expect(namesOf('group')).toEqual(['Tenant the app cluster belongs to', 'APIs']);
      expect(await page.getAttribute('html', 'lang')).toBe('en');
      const levels: number[] = await page.evaluate(
        '[...document.querySelectorAll("h1,h2,h3,h4")].map((heading) => Number(heading.tagName[1]))',
      );
      expect(levels.slice(0, 2)).toEqual([1, 2]);
      expect(levels.filter((level) => level === 1)).toHaveLength(1);
      expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    });

    it.each([
      ['light', 390],
      ['dark', 390],
      ['light', 1280],
      ['dark', 1280],
    ] as const)('is readable in %s mode at %i pixels, without scrolling sideways', async (colorScheme, width) => {
      const { page } = await openCatalogue({ colorScheme, viewport: { width, height: 844 } }, severalTenants);
      await page.getByRole('checkbox').first().check();

      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await weakTexts(page)).toEqual([]);
      const background: string = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(colorScheme === 'dark' ? luminance(background) < 0.1 : luminance(background) > 0.8).toBe(true);
      await shoot(page, `catalogue-${colorScheme}-${width}`);
    });

    it.each(['light', 'dark'] as const)('tells what was forgotten, readable in %s mode', async (colorScheme) => {
      const { page } = await openCatalogue({
        colorScheme,
        viewport: { width: 390, height: 844 },
        javaScriptEnabled: false,
      });

      await page.getByRole('button').click();

      expect(await page.getByRole('alert').textContent()).toBe('Choose at least one API.');
      await shoot(page, `alert-${colorScheme}`);
    });

    it.each(['light', 'dark'] as const)(
      'shows errors as pages of the same look, readable in %s mode',
      async (colorScheme) => {
        const world = await startWebWorld({ isOpenToBrowsers: true });
        world.issuer.script.refuse = 'access_denied';
        const page = await newPage({ colorScheme, viewport: { width: 390, height: 844 } });

        const answer = await page.goto(`${world.baseUrl}${authorizePath()}`);

        expect(answer?.status()).toBe(403);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The login was refused');
        expect(await weakTexts(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
        await shoot(page, `error-${colorScheme}`);
      },
    );

    it('S-20 loads nothing from elsewhere and breaks no rule of its own policy', async () => {
      const { page, requests, complaints } = await openCatalogue();

      expect(await page.evaluate('getComputedStyle(document.querySelector(".card")).borderRadius')).not.toBe('0px');
      expect(requests.filter((url) => !url.startsWith('http://127.0.0.1:'))).toEqual([]);
      expect(complaints).toEqual([]);
    });

    async function openCatalogue(
      look: BrowserContextOptions = {},
      more: WorldOptions & { readonly groups?: readonly string[] } = {},
    ) {
      const { groups, ...options } = more;
      const world = await startWebWorld({ isOpenToBrowsers: true, plane: scriptedControlPlane(offers), ...options });
      if (groups !== undefined) world.issuer.script.user = { sub: 'alice', name: 'Alice Adams', groups };
      const command = await startCommand();
      const page = await newPage(look);
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(`${world.baseUrl}${authorizePath({ p: String(command.port) })}`);
      expect(new URL(page.url()).pathname).toBe('/resources');
      return { page, command, requests, complaints };
    }

    async function newPage(look: BrowserContextOptions): Promise<Page> {
      const context = await chrome.newContext(look);
      onTestFinished(() => context.close());
      return await context.newPage();
    }
  },
);

const severalTenants = { policy: { tenantGroups: /^(team-.)$/ }, groups: ['team-a', 'team-b'] };

/** Listens like a command that waits for its login. */
async function startCommand() {
  let tell: (url: URL) => void = () => {};
  const called = new Promise<URL>((resolve) => {
    tell = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/callback') tell(url);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<body>Return to your terminal.</body>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, called };
}

/** Where `KLUTCH_SCREENSHOTS` names a folder, pages are kept there to be looked at. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['KLUTCH_SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Texts whose contrast with what is behind them is below 4.5 to 1, which the accessibility guidelines ask for. */
async function weakTexts(page: Page): Promise<string[]> {
  const texts: { text: string; color: string; background: string }[] = await page.evaluate(`(() => {
    const solid = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = getComputedStyle(at).backgroundColor;
        if (!/, 0\\)$|transparent/.test(color)) return color;
      }
      return 'rgb(255, 255, 255)';
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent.trim();
      if (text) found.push({ text, color: getComputedStyle(element).color, background: solid(element) });
    }
    return found;
  })()`);
  expect(texts.length).toBeGreaterThan(2);
  return texts.filter(({ color, background }) => contrast(color, background) < 4.5).map(({ text }) => text);
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
