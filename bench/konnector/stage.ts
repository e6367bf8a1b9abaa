import { apiServiceBindingCrd } from '@klutch/api';
import { type Informer, type KubeClient, startInformer, type UnknownObject } from '@klutch/kube';
import { type AppSide, openAppSide, widget } from '../../test/konnector/app-side.ts';
import { installCrd, installKinds, openOwnCluster, type TestCluster } from '../../test/konnector/clusters.ts';
import { type SampleApi, sampleApi } from '../../test/konnector/sample-api.ts';
import { createTenant, type TestTenant } from '../../test/konnector/tenant.ts';

/** Two real clusters with a tenant and a bound API, watched from outside as users and providers would. */
export interface Stage {
  readonly app: TestCluster;
  readonly controlPlane: TestCluster;
  readonly side: AppSide;
  readonly tenant: TestTenant;
  readonly api: SampleApi;
  /**
   * One of the same shape that both clusters serve and nobody binds. It is as old as the other: after half a minute
   * controllers of Kubernetes watch whatever is served, which costs the servers a quarter of their time in bursts.
   */
  readonly unboundApi: SampleApi;
  /** Namespace of the user's objects. */
  readonly namespace: string;
  /** What the user sees. */
  readonly originals: Informer<UnknownObject>;
  /** What the provider sees, in all namespaces. */
  readonly copies: Informer<UnknownObject>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const [app, controlPlane] = await Promise.all([openOwnCluster('real'), openOwnCluster('real')]);
  await installKinds(controlPlane);
  await installCrd(app.admin, apiServiceBindingCrd);
  const stop = new AbortController();
  const tenant = await createTenant(controlPlane);
  const side = await openAppSide(app);
  const api = sampleApi({ group: 'bench.example.org' });
  const unboundApi = sampleApi({ group: 'floor.example.org' });
  await Promise.all([app, controlPlane].map(({ admin }) => installCrd(admin, unboundApi.crd)));
  await tenant.publish(api);
  // The door through which tests reach a control plane is a proxy in this process; no konnector has one in its way.
  const kubeconfig = (await tenant.kubeconfig()).replaceAll(tenant.door.url, controlPlane.url);
  await tenant.offer(kubeconfig);
  await side.storeKubeconfig(kubeconfig);
  await side.bind(api);
  const { name: namespace } = (await side.namespace('team')).metadata;
  // The konnector would install the CRD; the watch from outside must not wait for it.
  const originals = startInformer({ client: app.admin.resource(api.type) }, stop.signal);
  const copies = startInformer({ client: controlPlane.admin.resource(api.type) }, stop.signal);
  return {
    app,
    controlPlane,
    side,
    tenant,
    api,
    unboundApi,
    namespace,
    originals,
    copies,
    close: async () => {
      stop.abort();
      await Promise.all([originals.stopped, copies.stopped, tenant.close()]);
      await Promise.all([app.close(), controlPlane.close()]);
    },
  };
}

/** Resolves when `count` objects of the informer satisfy the condition. */
export function whenAll(
  informer: Informer<UnknownObject>,
  count: number,
  condition: (object: UnknownObject) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const matching = new Set<string>();
    const unsubscribe = informer.subscribe((change) => {
      if (change.type !== 'deleted' && condition(change.object)) matching.add(change.key);
      else matching.delete(change.key);
      if (matching.size >= count) queueMicrotask(done);
    });
    const done = () => {
      unsubscribe();
      resolve();
    };
  });
}

/** Resolves when no object of the informer satisfies the condition. */
export function whenNone(
  informer: Informer<UnknownObject>,
  condition: (object: UnknownObject) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const matching = new Set<string>();
    let replayed = false;
    const check = () => {
      if (!replayed || matching.size > 0) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = informer.subscribe((change) => {
      if (change.type !== 'deleted' && condition(change.object)) matching.add(change.key);
      else matching.delete(change.key);
      queueMicrotask(check);
    });
    replayed = true;
    queueMicrotask(check);
  });
}

/** An original of about one kilobyte. */
export function original(stage: Pick<Stage, 'api' | 'namespace'>, name: string, size = 1): UnknownObject {
  const params = { note: 'x'.repeat(600), name };
  return widget(stage.api, name, stage.namespace, { size, plan: 'small', tags: ['bench'], params });
}

/** Sets a status as a provider does. */
export async function setStatus(
  client: KubeClient,
  stage: Pick<Stage, 'api'>,
  copy: { readonly name: string; readonly namespace: string },
  phase: string,
): Promise<void> {
  const status = {
    phase,
    conditions: [{ type: 'Ready', status: 'True', reason: phase, lastTransitionTime: '2026-01-01T00:00:00Z' }],
  };
  await client.resource(stage.api.type).patch(copy, { type: 'merge', patch: { status } }, { subresource: 'status' });
}
