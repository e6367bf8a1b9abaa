import {
  type APIServiceExport,
  APIServiceBindings,
  APIServiceExportRequests,
  APIServiceExports,
  type AppClusterBinding,
  AppClusterBindings,
  apiVersion,
  type ConditionState,
  controlPlane,
  findCondition,
  kubeconfigKey,
  labels,
} from '@klutch/api';
import { appClusterBindingsRole } from '@klutch/backend';
import { type KubeObject, Namespaces, renderKubeconfig, type ResourceType, Secrets } from '@klutch/kube';
import { rbacGroup, RoleBindings } from '../../packages/backend/src/objects/rbac.ts';
import { type SampleApi, type TestCluster, unique } from '../konnector/world.ts';
import { backendUsers } from './backend-account.ts';
import { patiently } from './process-world.ts';

/** An AppClusterBinding and what became of it. */
export interface Scene {
  readonly namespace: string;
  readonly name: string;
  get(): Promise<AppClusterBinding>;
  patch(patch: object): Promise<void>;
  delete(): Promise<void>;
  /** Waits until a condition is as wanted. */
  condition(type: string, wanted: Partial<ConditionState>): Promise<ConditionState>;
  /** Waits for its root namespace, and names it. */
  root(): Promise<string>;
  /** Waits until its exports are there, and names them. */
  exported(...apis: readonly SampleApi[]): Promise<void>;
  exports(): Promise<readonly APIServiceExport[]>;
}

export interface SceneSettings {
  readonly namespace?: string;
  readonly name?: string;
  readonly apis?: readonly SampleApi[];
  readonly kubeconfig?: string;
  readonly secretNamespace?: string;
  readonly konnector?: AppClusterBinding['spec']['konnector'];
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whether the operator has let backends into the namespace; default true. */
  readonly isLetIn?: boolean;
}

/** Lets the backends of a control plane serve bindings in a namespace, as operators do. */
export async function letIn({ admin }: Pick<TestCluster, 'admin'>, namespace: string): Promise<void> {
  await admin.resource(RoleBindings).apply(
    {
      apiVersion: `${rbacGroup}/v1`,
      kind: 'RoleBinding',
      metadata: { name: controlPlane.backend, namespace },
      subjects: backendUsers({ admin }).map((name) => ({ kind: 'User', name, apiGroup: rbacGroup })),
      roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: appClusterBindingsRole },
    },
    { fieldManager: 'klutch-test' },
  );
}

/** Creates a namespace if need be, a Secret with a kubeconfig, and a binding that names it. */
export async function bindAppCluster({ admin }: TestCluster, settings: SceneSettings = {}): Promise<Scene> {
  const { namespace = unique('team'), name = unique('shop'), apis = [] } = settings;
  const { kubeconfig = someKubeconfig, secretNamespace = namespace } = settings;
  for (const place of new Set([namespace, secretNamespace])) {
    await admin
      .resource(Namespaces)
      .apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: place } }, { fieldManager: 'klutch-test' });
  }
  await admin.resource(Secrets).apply(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'app-cluster', namespace: secretNamespace },
      data: { [kubeconfigKey]: Buffer.from(kubeconfig).toString('base64') },
    },
    { fieldManager: 'klutch-test' },
  );
  if (settings.isLetIn ?? true) await letIn({ admin }, namespace);
  const bindings = admin.resource(AppClusterBindings);
  const ref = { name, namespace };
  await bindings.create({
    apiVersion,
    kind: 'AppClusterBinding',
    metadata: { ...ref, ...(settings.annotations ? { annotations: settings.annotations } : {}) },
    spec: {
      kubeconfigSecretRef: { name: 'app-cluster', namespace: secretNamespace, key: kubeconfigKey },
      apiExports: apis.map(({ type: { group, plural } }) => ({ group, resource: plural })),
      ...(settings.konnector ? { konnector: settings.konnector } : {}),
    },
  });
  const root = () =>
    patiently(async () => {
      const labelSelector = `${labels.appClusterBindingName}=${name},${labels.appClusterBindingNamespace}=${namespace}`;
      return (await admin.resource(Namespaces).list({ labelSelector })).items[0]?.metadata.name;
    });
  const exports = async () => (await admin.resource(APIServiceExports).list({ namespace: await root() })).items;
  return {
    ...ref,
    get: () => bindings.get(ref),
    patch: async (patch) => void (await bindings.patch(ref, { type: 'merge', patch })),
    delete: () => bindings.delete(ref),
    condition: (type, wanted) =>
      patiently(async () => {
        const { status } = await bindings.get(ref);
        const found = findCondition(status?.conditions, type);
        const isWanted = Object.entries(wanted).every(([key, value]) => found?.[key as keyof ConditionState] === value);
        if (found && isWanted) return found;
        throw new Error(`${type} is not ${JSON.stringify(wanted)} in ${JSON.stringify(status?.conditions)}`);
      }),
    root,
    exports,
    exported: async (...wanted) => {
      await patiently(async () => {
        const names = (await exports()).map(({ metadata }) => metadata.name ?? '').sort();
        return JSON.stringify(names) === JSON.stringify(wanted.map((api) => api.name).sort());
      });
    },
  };
}

/** What a root namespace holds for exports, by name. */
export async function heldIn({ admin }: TestCluster, namespace: string): Promise<Record<string, readonly string[]>> {
  const names = async (type: ResourceType<KubeObject>) =>
    (await admin.resource(type).list({ namespace })).items.map(({ metadata }) => metadata.name ?? '').sort();
  return {
    bindings: await names(APIServiceBindings),
    exports: await names(APIServiceExports),
    requests: await names(APIServiceExportRequests),
  };
}

/** Reads well and leads nowhere. */
export const someKubeconfig = renderKubeconfig({
  server: 'https://app.example.org',
  user: { token: 'app-cluster-token' },
});
