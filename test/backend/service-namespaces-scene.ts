import {
  type APIServiceExport,
  APIServiceExports,
  type APIServiceNamespace,
  APIServiceNamespaces,
  apiVersion,
  type Condition,
  ConditionType,
  findCondition,
  labels,
} from '@klutch/api';
import { type Namespace, Namespaces, type ObjectRef, type ResourceClient } from '@klutch/kube';
import { type Role, type RoleBinding, RoleBindings, Roles } from '../../packages/backend/src/objects/rbac.ts';
import { type Registered, soon, type TestCluster } from './exports-world.ts';

/** What tests of service namespaces do and see on a control plane. */
export interface Scene {
  readonly namespaces: ResourceClient<Namespace>;
  readonly mappings: ResourceClient<APIServiceNamespace>;
  readonly roleBindings: ResourceClient<RoleBinding>;
  readonly roles: ResourceClient<Role>;
  readonly exports: ResourceClient<APIServiceExport>;
  /** Asks for a service namespace as a konnector does. */
  want(cluster: Registered, name: string): Promise<void>;
  /** Gives it up as a konnector does. */
  giveUp(cluster: Registered, name: string): Promise<void>;
  /** The service namespace, once it is ready. */
  servedBy(cluster: Registered, name: string): Promise<string>;
  /** `Ready`, once it has that reason. */
  condition(cluster: Registered, name: string, reason: string): Promise<Condition>;
  /** Until the mapping is gone. */
  isGone(cluster: Registered, name: string): Promise<void>;
  makeNamespace(name: string, notes?: Readonly<Record<string, string>>): Promise<void>;
  /** Service namespaces of the app cluster that are there to stay. */
  ownNamespaces(cluster: Registered): Promise<readonly Namespace[]>;
}

export function sceneOn({ admin }: TestCluster): Scene {
  const namespaces = admin.resource(Namespaces);
  const mappings = admin.resource(APIServiceNamespaces);

  return {
    namespaces,
    mappings,
    roleBindings: admin.resource(RoleBindings),
    roles: admin.resource(Roles),
    exports: admin.resource(APIServiceExports),
    want: async (cluster, name) => {
      await cluster.binder
        .resource(APIServiceNamespaces)
        .create({ apiVersion, kind: 'APIServiceNamespace', metadata: ref(cluster, name), spec: {} });
    },
    giveUp: async (cluster, name) => await cluster.binder.resource(APIServiceNamespaces).delete(ref(cluster, name)),
    servedBy: async (cluster, name) =>
      await soon(async () => {
        const { status } = await mappings.get(ref(cluster, name));
        return readyOf(status)?.status === 'True' && status?.namespace;
      }),
    condition: async (cluster, name, reason) =>
      await soon(async () => {
        const ready = readyOf((await mappings.get(ref(cluster, name))).status);
        return ready?.reason === reason && ready;
      }),
    isGone: async (cluster, name) => {
      await soon(async () => (await mappings.find(ref(cluster, name))) === undefined);
    },
    makeNamespace: async (name, notes = {}) => {
      await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations: notes } });
    },
    ownNamespaces: async (cluster) => {
      const { items } = await namespaces.list({ labelSelector: `${labels.clusterNamespace}=${cluster.name}` });
      return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    },
  };
}

export function ref(cluster: Registered, name: string): ObjectRef {
  return { namespace: cluster.name, name };
}

export function readyOf(status: APIServiceNamespace['status']): Condition | undefined {
  return findCondition(status?.conditions, ConditionType.Ready);
}
