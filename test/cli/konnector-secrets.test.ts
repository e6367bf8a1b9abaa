import { readFile } from 'node:fs/promises';
import { parseKubeconfig, renderKubeconfig, Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { klutch } from '../../packages/cli/src/testing/run-klutch.ts';
import { createTenant, onBothTiers, openAppSide, sampleApi, widget } from '../konnector/world.ts';
import { entriesOf, kubeconfigFile, startProcess } from './konnector-process.ts';

const soon = { withinMs: 60_000, everyMs: 50 };
const password = 'correct-horse-battery-staple';
const wrongToken = 'eyJhbGciOiJub25lIn0.d3Jvbmc.c2lnbmF0dXJl';

/** In all the forms in which it might show. */
const formsOf = (secret: string) => [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)];

/** What somebody has to know in order to be the user of a kubeconfig. */
function credentialOf(kubeconfig: string): string {
  const { auth } = parseKubeconfig(kubeconfig, { source: 'the test', trust: 'local' });
  if (auth.kind === 'token') return auth.token;
  return auth.kind === 'certificate' && auth.key.from === 'data' ? auth.key.pem : '';
}

onBothTiers('a konnector process with secrets', (clusters) => {
  it('shows none of them, however much it logs and whatever goes wrong', async () => {
    const { app, controlPlane } = clusters();
    const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    await tenant.publish(api, { claims: [claim] });
    const side = await openAppSide(app);
    const kubeconfig = await tenant.kubeconfig();
    await tenant.offer(kubeconfig);
    const { clusterNamespace: namespace, door } = tenant;
    const target = { server: door.url, ca: controlPlane.caCertificate, namespace };

    // Credentials that are not accepted, cannot be read, and are right.
    await side.storeKubeconfig(renderKubeconfig({ ...target, user: { token: wrongToken } }));
    await side.bind(api, { claims: [{ ...claim, state: 'Accepted' }] });
    const file = await kubeconfigFile(side, api, [claim]);
    const konnector = await startProcess(side, file, { args: ['--log-level', 'debug'] });
    const refused = await eventually(async () => {
      const status = JSON.stringify((await side.binding(api)).status);
      return status.includes('credentials') && status;
    }, soon);
    await side.storeKubeconfig(`{"token: ${credentialOf(kubeconfig)}\n\t"`);
    await side.condition(api, 'SecretValid', 'False');
    await side.storeKubeconfig(kubeconfig);
    await side.condition(api, 'Ready', 'True');

    // A password comes down.
    const team = (await side.namespace()).metadata.name;
    await app.admin.resource(api.type).create(widget(api, 'db', team, { size: 1 }));
    const service = await tenant.serviceNamespace(team);
    await controlPlane.admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'db-creds', namespace: service },
      data: { password: Buffer.from(password).toString('base64') },
    });
    await eventually(() => app.admin.resource(Secrets).find({ namespace: team, name: 'db-creds' }), soon);

    door.slam();
    const { body: metrics } = await konnector.get('/metrics');
    const { body: health } = await konnector.get('/readyz?verbose');
    konnector.process.kill('SIGTERM');
    expect(await konnector.ended()).toBe(0);

    expect(entriesOf(konnector).some(({ level }) => level === 'debug')).toBe(true);
    const ownKey = credentialOf(await readFile(file, 'utf8'));
    const secrets = [password, wrongToken, credentialOf(kubeconfig), ownKey, ...ownKey.trim().split('\n').slice(1, 3)];
    expect(secrets.filter((secret) => secret.length < 20)).toEqual([]);
    const shown = [konnector.out(), konnector.err(), refused, metrics, health].join('\n');
    const forms = [...secrets.flatMap(formsOf), 'PRIVATE KEY', 'Bearer '];
    expect(forms.filter((form) => shown.includes(form))).toEqual([]);
    await tenant.close();
  }, 150_000);

  it('shows none of them when it cannot start', async () => {
    const { app } = clusters();
    const api = sampleApi();
    const side = await openAppSide(app);
    const file = await kubeconfigFile(side, api);
    const mode = ['control-plane-mode', 'app-cluster-kubeconfig-secret-name=a', 'binding-root-namespace=r'];
    const flags = [...mode, `app-cluster-kubeconfig-secret-namespace=${side.bindingNamespace}`, 'health-port=none'];
    const name = 'a';
    const start = async () => klutch('konnector', '--kubeconfig', file, ...flags.map((flag) => `--${flag}`));

    const missing = await start();
    await side.storeKubeconfig(`{"token: ${wrongToken}\n\t"`, name);
    const broken = await start();

    for (const { code, out, err } of [missing, broken]) {
      expect([code, out]).toEqual([8, '']);
      expect(err).toMatch(new RegExp(`\nError: [^\n]*${side.bindingNamespace}/${name}[^\n]*\\.\n$`));
      expect(err).not.toMatch(/^ +at /m);
    }
    expect(formsOf(wrongToken).filter((form) => broken.err.includes(form))).toEqual([]);
  }, 90_000);
});
