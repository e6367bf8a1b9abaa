import {
  annotations,
  APIServiceNamespaces,
  ClusterBindings,
  controlPlane as names,
  finalizers,
  kubeconfigKey,
} from '@klutch/api';
import { appClusterRules } from '@klutch/konnector';
import { isKubeError, Namespaces, Secrets } from '@klutch/kube';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openOwnCluster } from '../konnector/clusters.ts';
import { doorTo } from '../konnector/door.ts';
import { grantInCluster } from '../konnector/run-konnector.ts';
import { bindAppCluster, heldIn, type Scene } from './app-cluster-binding-scene.ts';
import { type DeployedKonnector, runDeployed } from './deployed-konnector.ts';
import { onOwnPlane, provide, type SampleApi, sampleApi, type TestCluster, unique, widget } from './exports-world.ts';
import { launch, patiently } from './process-world.ts';

const claim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;

/** An app cluster that an operator has bound; backend and konnector run, with the rights they have in production. */
interface Journey {
  readonly api: SampleApi;
  readonly scene: Scene;
  readonly root: string;
  readonly konnector: DeployedKonnector;
  /** A kubeconfig with the published rights, for the app cluster at that address. */
  kubeconfig(url: string): Promise<string>;
  /** Creates an object in a new namespace of the app cluster, and waits for its copy. */
  carries(): Promise<{ readonly namespace: string; readonly service: string }>;
}

onOwnPlane('an app cluster that an operator has bound', (plane, tier) => {
  let app: TestCluster;
  beforeAll(async () => {
    app = await openOwnCluster(tier);
  }, 180_000);
  afterAll(() => app?.close());

  async function bound(settings: { readonly notes?: Readonly<Record<string, string>>; readonly url?: string } = {}) {
    const api = sampleApi();
    await provide(plane(), api, { claims: [claim] });
    await launch(plane(), { offers: [{ api, claims: [claim] }], controlPlaneMode: true });
    const user = unique('konnector');
    const { group, plural } = api.type;
    await grantInCluster(app.admin, user, appClusterRules([{ group, plural }], [claim]).cluster);
    const kubeconfig = async (url: string) => (await app.kubeconfig({ name: user })).replaceAll(app.url, url);
    const scene = await bindAppCluster(plane(), {
      apis: [api],
      kubeconfig: await kubeconfig(settings.url ?? app.url),
      konnector: { deploy: true },
      annotations: { [annotations.acceptClaims]: 'secrets', ...settings.notes },
    });
    const root = await scene.root();
    await scene.condition('Ready', { status: 'True' });
    const konnector = await runDeployed(plane(), root, scene.name);
    return { api, scene, root, konnector, kubeconfig, carries: () => carries(api, root) } satisfies Journey;
  }

  async function carries(api: SampleApi, root: string): Promise<{ namespace: string; service: string }> {
    const { admin } = plane();
    const namespace = unique('app');
    await app.admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await patiently(() => app.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 3 })));
    const service = await patiently(async () => {
      const mapping = await admin.resource(APIServiceNamespaces).find({ namespace: root, name: namespace });
      return mapping?.status?.namespace;
    });
    await patiently(() => admin.resource(api.type).find({ namespace: service, name: 'w' }));
    return { namespace, service };
  }

  it('KON-61 KON-63 BE-53 S-23 works with the published rights: its objects reach the control plane, and credentials come back', async () => {
    const { api, scene, root, ...journey } = await bound();
    const { admin } = plane();
    expect(await heldIn(plane(), root)).toEqual({
      bindings: [api.name],
      exports: [api.name],
      requests: [expect.any(String)],
    });
    expect(await admin.resource(ClusterBindings).find({ namespace: root, name: names.clusterBinding })).toBeDefined();

    const { namespace, service } = await journey.carries();
    await admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'w-creds', namespace: service },
      data: { password: Buffer.from('p').toString('base64') },
    });
    const delivered = await patiently(() => app.admin.resource(Secrets).find({ namespace, name: 'w-creds' }));
    expect(delivered.data).toEqual({ password: Buffer.from('p').toString('base64') });

    // The app cluster is connected, and its users still have their objects: the binding stays.
    await scene.delete();
    await scene.condition('NamespaceReady', { status: 'False', reason: 'DeletionHeld' });
    await app.admin.resource(api.type).delete({ namespace, name: 'w' });
    await patiently(async () => !(await admin.resource(api.type).find({ namespace: service, name: 'w' })));
    await isGone(scene);
    expect(await admin.resource(Namespaces).find({ name: root })).toBeUndefined();
  }, 240_000);

  it('KON-62 says on the AppClusterBinding that its kubeconfig cannot be used, and works once it can', async () => {
    const { scene, kubeconfig, carries: carry } = await bound();

    await replaceKubeconfig(scene, '{"');
    await scene.condition('SecretValid', { status: 'False', reason: 'KubeconfigSecretInvalid' });
    await scene.condition('Ready', { status: 'False' });
    await replaceKubeconfig(scene, await kubeconfig(app.url));

    await scene.condition('Ready', { status: 'True' });
    await carry();
  }, 240_000);

  it('KON-64 goes on with a new kubeconfig that the operator has stored, though the old one is worth nothing', async () => {
    const [before, after] = [await doorTo(app.url), await doorTo(app.url)];
    onTestFinished(async () => void (await Promise.all([before.close(), after.close()])));
    const { scene, kubeconfig, carries: carry } = await bound({ url: before.url });
    await carry();

    await replaceKubeconfig(scene, await kubeconfig(after.url));
    before.shut();

    await carry();
    await scene.condition('Ready', { status: 'True' });
  }, 240_000);

  it('KON-65 lets go of the objects in the app cluster before the konnector goes', async () => {
    const { api, scene, konnector, carries: carry } = await bound({ notes: { [annotations.onUnbind]: 'Delete' } });
    const { namespace } = await carry();
    const widgets = app.admin.resource(api.type);
    expect((await widgets.get({ namespace, name: 'w' })).metadata.finalizers).toContain(finalizers.syncer);

    await scene.delete();
    await konnector.ended;

    // Nobody is left who could remove a finalizer.
    const left = await widgets.find({ namespace, name: 'w' }).catch(absentType);
    expect(left?.metadata.finalizers ?? []).not.toContain(finalizers.syncer);
    await isGone(scene);
  }, 240_000);

  async function replaceKubeconfig({ namespace }: Scene, text: string): Promise<void> {
    const patch = { data: { [kubeconfigKey]: Buffer.from(text).toString('base64') } };
    await plane().admin.resource(Secrets).patch({ namespace, name: 'app-cluster' }, { type: 'merge', patch });
  }
});

async function isGone(scene: Scene): Promise<void> {
  await patiently(async () => {
    const left = await scene.get().catch(() => undefined);
    if (left) throw new Error(`still there: ${JSON.stringify(left.status?.conditions)}`);
    return true;
  });
}

/** With its CRD, a type that was bound is gone from the app cluster. */
function absentType(error: unknown): undefined {
  if (isKubeError(error, 'KUBE_NOT_FOUND')) return undefined;
  throw error;
}
