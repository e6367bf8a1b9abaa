import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority, emailOf, KIT_PASSWORD, launchBrowser, type Plane, startDex, startPlane } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { connect, parseKubeconfig } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { runKlutch, scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { patiently } from '../backend/process-world.ts';
import { commandsOf } from './commands.ts';
import { type Ingress, openIngress } from './ingress.ts';
import { backendDeployment, type Pod, runPod } from './pods.ts';
import { openShell } from './shell.ts';

const user = { name: 'ada', groups: ['team-payments'] };
const guide = 'docs/guides/control-plane.md';

describeReal(
  'the guide of the control plane',
  () => {
    it('leads from an empty cluster to a backend behind TLS and an ingress, and to its end', async () => {
      const folder = await scratchFolder();
      const [plane, app] = await Promise.all([ownPlane(), ownPlane()]);
      const { ingress, env } = await openFrontDoor(folder);
      const client = { id: 'klutch-bind', secret: 'client-secret', redirectUris: [`${ingress.url}/callback`] };
      const dex = await startDex({ users: [user], clients: [client] });
      onTestFinished(() => dex.stop());
      const shell = await openShell(
        folder,
        plane.admin.kubeconfigPath,
        new Map([
          ['https://klutch.example.org', ingress.url],
          ['https://issuer.example.org/dex', dex.url],
          ['https://api.example.org:6443', plane.url],
          ['10.0.0.0/8', '127.0.0.0/8'],
        ]),
        env,
      );
      const admin = connect(parseKubeconfig(plane.admin.kubeconfig, { source: 'the test', trust: 'local' }), {
        userAgent: 'klutch-test/1',
      });
      onTestFinished(() => admin.close());
      const node = { admin, url: plane.url, caCertificate: plane.pki.certificate, folder };
      let pods: readonly Pod[] = [];
      const printed = new Map<string, string>();

      /** What happens after a section because somebody else does it: the kubelet, a user. */
      const afterwards: Readonly<Record<string, () => Promise<void>>> = {
        '3. The backend': async () => {
          const deployment = await backendDeployment(admin, 'bind');
          pods = [await runPod(node, deployment, 'backend-0'), await runPod(node, deployment, 'backend-1')];
          ingress.setTargets(pods.map(({ url }) => url));
          await Promise.all(
            pods.map(({ operationsUrl }) => patiently(async () => (await fetch(`${operationsUrl}/readyz`)).ok)),
          );
        },
        '5. Try it': async () => {
          await bindInBrowser(app, ingress, env);
          printed.set('list', await shell.run('klutch backend list'));
        },
        Monitoring: async () => {
          const metrics = await (await fetch(`${pods[0]?.operationsUrl}/metrics`)).text();
          for (const metric of await metricsOf(guide)) expect(metrics).toContain(metric);
          expect(metrics).toMatch(/^klutch_backend_policy_in_force 1$/m);
          expect((await fetch(`${pods[0]?.url}/metrics`)).status).toBe(404);
        },
        'Rotating secrets': async () => {
          await Promise.all(pods.map((pod) => pod.syncVolume()));
        },
      };

      const blocks = await commandsOf(guide);
      for (const [at, { section, text, needsNodes }] of blocks.entries()) {
        if (!needsNodes) printed.set(section, `${printed.get(section) ?? ''}${await shell.run(text)}`);
        if (blocks[at + 1]?.section !== section) await afterwards[section]?.();
      }

      expect(printed.get('5. Try it')).toContain('"kind":"BindingProvider"');
      expect(printed.get('list')).toMatch(/payments/);
      expect(printed.get('Monitoring')).toContain('Bind');
    }, 600_000);
  },
  { needs: ['dex', 'chromium'] },
);

async function ownPlane(): Promise<Plane> {
  const plane = await startPlane();
  onTestFinished(() => plane.stop());
  return plane;
}

/** The files that the guide asks for, and an ingress that uses the certificate. */
async function openFrontDoor(
  folder: string,
): Promise<{ readonly ingress: Ingress; readonly env: Readonly<Record<string, string>> }> {
  const authority = await createAuthority('the company');
  const certificate = await authority.issue({ commonName: 'localhost', dnsNames: ['localhost'], usage: 'server' });
  const ca = join(folder, 'authority.pem');
  await writeFile(ca, authority.certificate);
  await writeFile(join(folder, 'tls.crt'), certificate.certificate);
  await writeFile(join(folder, 'tls.key'), certificate.key, { mode: 0o600 });
  await writeFile(join(folder, 'client-secret'), 'client-secret', { mode: 0o600 });
  const ingress = await openIngress(certificate);
  onTestFinished(() => ingress.close());
  return { ingress, env: { CURL_CA_BUNDLE: ca, NODE_EXTRA_CA_CERTS: ca } };
}

/** A user in an app cluster follows what the guide says to type. */
async function bindInBrowser(app: Plane, ingress: Ingress, env: Readonly<Record<string, string>>): Promise<void> {
  const run = runKlutch(
    ['bind', `${ingress.url}/export`, '--no-browser', '--accept-claims=all', '--kubeconfig', app.admin.kubeconfigPath],
    env,
  );
  await run.says(/https:\/\/localhost:\d+\/authorize\?\S+/);
  const [url = ''] = /https:\/\/localhost:\d+\/authorize\?\S+/.exec(run.err()) ?? [];
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
  await page.goto(url);
  await page.fill('input[name=login]', emailOf(user));
  await page.fill('input[name=password]', KIT_PASSWORD);
  await page.click('button[type=submit]');
  await page.waitForURL(/\/resources/);
  await page.getByRole('checkbox').first().check();
  await page.locator('form button[type=submit], form input[type=submit]').first().click();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  expect({ code: await run.ended(), err: run.err() }).toMatchObject({ code: 0 });
}

/** The metrics that the guide names. */
async function metricsOf(path: string): Promise<readonly string[]> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  return [...new Set([...text.matchAll(/`(klutch_backend_\w+)`/g)].map(([, name = '']) => name))];
}
