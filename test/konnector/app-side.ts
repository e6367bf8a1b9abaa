import {
  type AcceptablePermissionClaim,
  type APIServiceBinding,
  apiServiceBindingCrd,
  APIServiceBindings,
  apiVersion,
  findCondition,
  kubeconfigKey,
} from '@klutch/api';
import { type Namespace, Namespaces, Secrets, type UnknownObject } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { installCrd, type TestCluster, unique } from './clusters.ts';
import type { SampleApi } from './sample-api.ts';

export interface BindOptions {
  readonly claims?: readonly AcceptablePermissionClaim[];
  /** Name of the kubeconfig Secret. Default `kubeconfig-test`. */
  readonly secret?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The corner of an app cluster that belongs to one konnector: bindings, kubeconfig Secrets and the lease. */
export interface AppSide {
  readonly cluster: TestCluster;
  /** Namespace of bindings, Secrets and the lease. */
  readonly bindingNamespace: string;
  /** Creates or replaces a kubeconfig Secret. Default name `kubeconfig-test`. */
  storeKubeconfig(kubeconfig: string, name?: string): Promise<void>;
  bind(api: SampleApi, options?: BindOptions): Promise<APIServiceBinding>;
  binding(api: SampleApi): Promise<APIServiceBinding>;
  /** Waits until a condition of a binding has that status, and reason if one is named. */
  condition(api: SampleApi, type: string, status: string, reason?: string): Promise<void>;
  /** A namespace for the user's objects. */
  namespace(prefix?: string): Promise<Namespace & { readonly metadata: { readonly name: string } }>;
}

/** Opens a new corner of an app cluster, or one that is there already. */
export async function openAppSide(cluster: TestCluster, existing?: string): Promise<AppSide> {
  const { admin } = cluster;
  const bindingNamespace = existing ?? unique('klutch-bind');
  if (existing === undefined) await admin.resource(Namespaces).create(namespaceOf(bindingNamespace));
  const bindings = admin.resource(APIServiceBindings);

  return {
    cluster,
    bindingNamespace,
    storeKubeconfig: async (kubeconfig, name = defaultSecret) => {
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: bindingNamespace },
        data: { [kubeconfigKey]: Buffer.from(kubeconfig).toString('base64') },
      };
      await admin.resource(Secrets).apply(secret, { fieldManager: 'klutch-test', force: true });
    },
    bind: async (api, options = {}) => {
      await installCrd(admin, apiServiceBindingCrd);
      return await bindings.create({
        apiVersion,
        kind: 'APIServiceBinding',
        metadata: { name: api.name, namespace: bindingNamespace, annotations: options.annotations },
        spec: {
          kubeconfigSecretRef: {
            name: options.secret ?? defaultSecret,
            namespace: bindingNamespace,
            key: kubeconfigKey,
          },
          ...(options.claims ? { permissionClaims: [...options.claims] } : {}),
        },
      });
    },
    binding: (api) => bindings.get({ namespace: bindingNamespace, name: api.name }),
    condition: async (api, type, status, reason) => {
      await eventually(
        async () => {
          const binding = await bindings.get({ namespace: bindingNamespace, name: api.name });
          const found = findCondition(binding.status?.conditions, type);
          if (found?.status === status && (reason === undefined || found.reason === reason)) return true;
          throw new Error(`${type} is ${JSON.stringify(found)}, not ${status} ${reason ?? ''}`);
        },
        { withinMs: 30_000, everyMs: 20 },
      );
    },
    namespace: async (prefix = 'team') => {
      const created = await admin.resource(Namespaces).create(namespaceOf(unique(prefix)));
      return created as Namespace & { metadata: { name: string } };
    },
  };
}

const defaultSecret = 'kubeconfig-test';

function namespaceOf(name: string): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** An object of a sample API. */
export function widget(api: SampleApi, name: string, namespace: string | undefined, spec: object): UnknownObject {
  return {
    apiVersion: `${api.type.group}/${api.type.version}`,
    kind: api.type.kind,
    metadata: { name, ...(namespace ? { namespace } : {}) },
    spec,
  };
}
