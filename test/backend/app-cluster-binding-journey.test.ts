import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotations, APIServiceNamespaces, controlPlaneKonnectorName } from '@klutch/api';
import { appClusterRules, optionsFrom } from '@klutch/konnector';
import { Namespaces, renderKubeconfig, Secrets } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { Deployments } from '../../packages/backend/src/objects/deployment.ts';
import { ServiceAccounts, type TokenRequest } from '../../packages/backend/src/objects/service-account.ts';
import { openEmbedded } from '../konnector/clusters.ts';
import { grantInCluster, launch as launchKonnector, quick } from '../konnector/run-konnector.ts';
import { bindAppCluster } from './app-cluster-binding-scene.ts';
import { onOwnPlane, provide, sampleApi, type TestCluster, unique, widget } from './exports-world.ts';
import { launch, patiently } from './process-world.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;

async function openApp(): Promise<TestCluster> {
  const app = await openEmbedded();
  onTestFinished(() => app.close());
  return app;
}

/** Runs the konnector that a Deployment describes, as its service account. */
async function runDeployed({ admin, url, caCertificate }: TestCluster, root: string, binding: string): Promise<void> {
  const { spec } = await patiently(() =>
    admin.resource(Deployments).find({ namespace: root, name: controlPlaneKonnectorName(binding) }),
  );
  const account = { name: spec.template.spec.serviceAccountName, namespace: root };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: account, spec: {} };
  const answer = await admin.resource(ServiceAccounts).create(body, { subresource: 'token' });
  const token = (answer as unknown as TokenRequest).status?.token ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'klutch-deployed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config');
  await writeFile(file, renderKubeconfig({ server: url, ca: caCertificate, user: { token } }));
  const args = (spec.template.spec.containers[0]?.args ?? []).map((arg) => arg.replace('$(POD_NAMESPACE)', root));
  const options = await optionsFrom([...args, `--kubeconfig=${file}`, '--health-port=none'], {}, '1.2.3');
  const konnector = await launchKonnector({ ...options, probe: quick });
  onTestFinished(() => konnector.stop());
}

onOwnPlane('an app cluster that an operator has bound', (plane) => {
  it('BE-53 S-23 works with a kubeconfig that has the published rights and no others', async () => {
    const [api, app] = [sampleApi(), await openApp()];
    await provide(plane(), api, { claims: [claim] });
    await launch(plane(), { offers: [{ api, claims: [claim] }], controlPlaneMode: true });
    const user = unique('konnector');
    const { group, plural } = api.type;
    await grantInCluster(app.admin, user, appClusterRules([{ group, plural }], [claim]).cluster);
    const scene = await bindAppCluster(plane(), {
      apis: [api],
      kubeconfig: await app.kubeconfig({ name: user }),
      konnector: { deploy: true },
      annotations: { [annotations.acceptClaims]: 'secrets' },
    });
    const root = await scene.root();
    await scene.condition('Ready', { status: 'True' });
    await runDeployed(plane(), root, scene.name);

    const namespace = unique('app');
    await app.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await patiently(() => app.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 3 })));

    const { admin } = plane();
    const service = await patiently(
      async () =>
        (await admin.resource(APIServiceNamespaces).find({ namespace: root, name: namespace }))?.status?.namespace,
    );
    await patiently(() => admin.resource(api.type).find({ namespace: service, name: 'w' }));
    await admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'w-creds', namespace: service },
      data: { password: Buffer.from('p').toString('base64') },
    });
    await patiently(() => app.admin.resource(Secrets).find({ namespace, name: 'w-creds' }));
    // The app cluster is connected, and its users still have their objects: the binding stays.
    await scene.delete();
    await scene.condition('NamespaceReady', { status: 'False', reason: 'DeletionHeld' });
    await app.admin.resource(api.type).delete({ namespace, name: 'w' });
    await patiently(async () => !(await admin.resource(api.type).find({ namespace: service, name: 'w' })));
    await patiently(async () => {
      const left = await scene.get().catch(() => undefined);
      if (left) throw new Error(`still there: ${JSON.stringify(left.status?.conditions)}`);
      return true;
    });
    expect(await admin.resource(Namespaces).find({ name: root })).toBeUndefined();
  }, 240_000);
});
