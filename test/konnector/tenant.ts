import {
  type APIServiceExport,
  APIServiceExports,
  APIServiceNamespaces,
  type ClusterScopedIsolation,
  annotations,
  apiVersion,
  binderRoleName,
  type ClusterBinding,
  ClusterBindings,
  controlPlane as names,
  goServiceNamespaceName,
  type InformerScope,
  kubeconfigKey,
  type PermissionClaim,
  sourceSpecHash,
} from '@klutch/api';
import {
  informerSource,
  isKubeError,
  type KubeClient,
  type KubeObject,
  Namespaces,
  refOf,
  renderKubeconfig,
  type ResourceType,
  runController,
  Secrets,
  startInformer,
  type UnknownObject,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { installCrd, type TestCluster, unique } from './clusters.ts';
import { type Door, doorTo } from './door.ts';
import type { SampleApi } from './sample-api.ts';

export interface PublishOptions {
  readonly claims?: readonly PermissionClaim[];
  /** Default `Namespaced` for namespaced APIs. */
  readonly informerScope?: InformerScope;
  /** For cluster-scoped APIs. Default `Prefixed`. */
  readonly isolation?: ClusterScopedIsolation;
}

/**
 * An app cluster as a control plane knows it, made the way the Go backend makes it: namespace, service account with
 * exactly the documented rights, kubeconfig Secret, ClusterBinding; and answers to APIServiceNamespaces.
 */
export interface TestTenant {
  readonly clusterNamespace: string;
  /** UID of the cluster namespace. */
  readonly uid: string;
  /** The way that this tenant's kubeconfigs take. */
  readonly door: Door;
  /** A kubeconfig with a fresh token. */
  kubeconfig(): Promise<string>;
  /** The one in the Secret from which the konnector learns of new ones, as whoever binds gets it. */
  offered(): Promise<string>;
  /** Installs the API on the control plane, grants it and exports it; again after a change to update all three. */
  publish(api: SampleApi, options?: PublishOptions): Promise<void>;
  /** Removes the export. */
  withdraw(api: SampleApi): Promise<void>;
  /** Puts a kubeconfig into the Secret from which the konnector learns of new ones. */
  offer(kubeconfig: string): Promise<void>;
  /** Leaves APIServiceNamespaces of that name unanswered until the result is called. */
  hold(appNamespace: string): () => void;
  /** As operators restart a backend after they restored its cluster: it reads everything anew. */
  restartBackend(): Promise<void>;
  /** The service namespace of an app namespace, once there is one. */
  serviceNamespace(appNamespace: string): Promise<string>;
  /** The status of the ClusterBinding. */
  status(): Promise<ClusterBinding['status']>;
  close(): Promise<void>;
}

export async function createTenant(
  cluster: TestCluster,
  clusterNamespace: string = unique('cluster'),
): Promise<TestTenant> {
  const { admin } = cluster;
  const namespace = await admin.resource(Namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: clusterNamespace, annotations: { [annotations.identity]: `tester#${clusterNamespace}` } },
  });
  const uid = namespace.metadata.uid ?? '';
  const door = await doorTo(cluster.url);
  await grantBasics(admin, clusterNamespace, uid);
  const kubeconfig = async () =>
    renderKubeconfig({
      server: door.url,
      ca: cluster.caCertificate,
      namespace: clusterNamespace,
      user: { token: await tokenOf(admin, clusterNamespace) },
    });
  await admin.resource(Secrets).create(kubeconfigSecret(clusterNamespace, await kubeconfig()));
  await admin.resource(ClusterBindings).create({
    apiVersion,
    kind: 'ClusterBinding',
    metadata: { name: names.clusterBinding, namespace: clusterNamespace },
    spec: {
      kubeconfigSecretRef: { name: names.kubeconfigSecret, key: kubeconfigKey },
      providerPrettyName: 'Test provider',
    },
  });
  const offer = { namespace: clusterNamespace, name: names.kubeconfigSecret };
  const backend = answerNamespaces(admin, clusterNamespace);
  const granted = new Map<string, object[]>();

  return {
    clusterNamespace,
    uid,
    door,
    kubeconfig,
    publish: async (api, options = {}) => {
      await installCrd(admin, api.crd);
      granted.set(api.name, rulesFor(api, options));
      await grant(admin, clusterNamespace, uid, [...granted.values()].flat());
      if (informerScopeOf(api, options) === 'Cluster') await grantEverywhere(admin, clusterNamespace);
      await admin
        .resource(APIServiceExports)
        .apply(exportOf(api, clusterNamespace, options), { fieldManager: 'klutch-test', force: true });
    },
    withdraw: (api) => admin.resource(APIServiceExports).delete({ namespace: clusterNamespace, name: api.name }),
    offered: async () => {
      const { data } = await admin.resource(Secrets).get(offer);
      return Buffer.from(data?.[kubeconfigKey] ?? '', 'base64').toString();
    },
    offer: async (text) => {
      const data = { [kubeconfigKey]: Buffer.from(text).toString('base64') };
      await admin.resource(Secrets).patch(offer, { type: 'merge', patch: { data } });
    },
    hold: backend.hold,
    restartBackend: backend.restart,
    serviceNamespace: (appNamespace) =>
      eventually(
        async () =>
          (await admin.resource(APIServiceNamespaces).find({ namespace: clusterNamespace, name: appNamespace }))?.status
            ?.namespace || undefined,
        { withinMs: 30_000 },
      ),
    status: async () =>
      (await admin.resource(ClusterBindings).get({ namespace: clusterNamespace, name: names.clusterBinding })).status,
    close: async () => {
      await backend.stop();
      await door.close();
    },
  };
}

const ServiceAccounts: ResourceType = core('serviceaccounts', 'ServiceAccount');
const RoleBindings: ResourceType = rbac('rolebindings', 'RoleBinding', true);
const ClusterRoles: ResourceType = rbac('clusterroles', 'ClusterRole', false);
const ClusterRoleBindings: ResourceType = rbac('clusterrolebindings', 'ClusterRoleBinding', false);

const rbacGroup = 'rbac.authorization.k8s.io';
const instanceVerbs = ['get', 'list', 'watch', 'update', 'patch', 'delete', 'create'];
const readVerbs = ['get', 'list', 'watch'];
const group = apiVersion.slice(0, apiVersion.indexOf('/'));

/** What every tenant may do in its cluster namespace. */
const basicRules = [
  { verbs: [...instanceVerbs], apiGroups: [group], resources: ['apiserviceexportrequests', 'apiservicenamespaces'] },
  { verbs: ['get'], apiGroups: [''], resources: ['namespaces'] },
  { verbs: readVerbs, apiGroups: [''], resources: ['secrets'] },
  { verbs: readVerbs, apiGroups: [group], resources: ['clusterbindings', 'apiserviceexports'] },
  {
    verbs: ['get', 'patch', 'update'],
    apiGroups: [group],
    resources: ['clusterbindings/status', 'apiserviceexports/status'],
  },
];

async function grantBasics(admin: KubeClient, clusterNamespace: string, uid: string): Promise<void> {
  await applied(admin, ClusterRoles, { metadata: { name: names.binder }, rules: basicRules });
  await admin.resource(ServiceAccounts).create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: names.binder, namespace: clusterNamespace },
  });
  await bindRole(admin, clusterNamespace, clusterNamespace, names.binder);
  await grant(admin, clusterNamespace, uid, []);
}

async function grant(admin: KubeClient, clusterNamespace: string, uid: string, rules: object[]): Promise<void> {
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: clusterNamespace, uid, controller: true };
  await applied(admin, ClusterRoles, {
    metadata: { name: binderRoleName(clusterNamespace), ownerReferences: [owner] },
    rules,
  });
}

async function grantEverywhere(admin: KubeClient, clusterNamespace: string): Promise<void> {
  await applied(admin, ClusterRoleBindings, {
    metadata: { name: binderRoleName(clusterNamespace) },
    ...binding(clusterNamespace, binderRoleName(clusterNamespace)),
  });
}

/** In `namespace`, the tenant may do what the role says. */
async function bindRole(admin: KubeClient, clusterNamespace: string, namespace: string, role: string): Promise<void> {
  await applied(admin, RoleBindings, {
    metadata: { name: names.binder, namespace },
    ...binding(clusterNamespace, role),
  });
}

function binding(clusterNamespace: string, role: string): object {
  return {
    subjects: [{ kind: 'ServiceAccount', name: names.binder, namespace: clusterNamespace }],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
  };
}

async function applied(
  admin: KubeClient,
  type: ResourceType,
  content: { readonly metadata: KubeObject['metadata']; readonly [field: string]: unknown },
): Promise<void> {
  const object: UnknownObject = { apiVersion: apiVersionFor(type), kind: type.kind, ...content };
  await admin.resource(type).apply(object, { fieldManager: 'klutch-test', force: true });
}

async function tokenOf(admin: KubeClient, namespace: string): Promise<string> {
  const answer = await admin.resource(ServiceAccounts).create(
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name: names.binder, namespace },
      spec: { expirationSeconds: 3600 },
    },
    { subresource: 'token' },
  );
  return (answer['status'] as { token: string }).token;
}

function kubeconfigSecret(namespace: string, kubeconfig: string) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: names.kubeconfigSecret, namespace },
    data: { [kubeconfigKey]: Buffer.from(kubeconfig).toString('base64') },
  };
}

function rulesFor(api: SampleApi, { claims = [] }: PublishOptions): object[] {
  return [
    { verbs: instanceVerbs, apiGroups: [api.type.group], resources: [api.type.plural] },
    ...claims.map((claim) => ({ verbs: instanceVerbs, apiGroups: [claim.group ?? ''], resources: [claim.resource] })),
  ];
}

function informerScopeOf(api: SampleApi, { informerScope }: PublishOptions): InformerScope {
  return informerScope ?? (api.type.namespaced ? 'Namespaced' : 'Cluster');
}

function exportOf(api: SampleApi, namespace: string, options: PublishOptions): APIServiceExport {
  return {
    apiVersion,
    kind: 'APIServiceExport',
    metadata: {
      name: api.name,
      namespace,
      annotations: { [annotations.sourceSpecHash]: sourceSpecHash(api.exported) },
    },
    spec: {
      ...api.exported,
      informerScope: informerScopeOf(api, options),
      ...(api.type.namespaced ? {} : { clusterScopedIsolation: options.isolation ?? 'Prefixed' }),
      ...(options.claims ? { permissionClaims: [...options.claims] } : {}),
    },
  };
}

/** Does with APIServiceNamespaces what a backend does. */
function answerNamespaces(admin: KubeClient, clusterNamespace: string) {
  const stop = new AbortController();
  const held = new Set<string>();
  const requests = admin.resource(APIServiceNamespaces);
  const informer = startInformer(
    { client: requests, namespace: clusterNamespace, backoff: { capMs: 1_000 } },
    stop.signal,
  );
  const controller = runController({
    name: 'stand-in-backend',
    sources: [informerSource(informer)],
    signal: stop.signal,
    reconcile: async (key) => {
      const { name } = refOf(key);
      const service = goServiceNamespaceName(clusterNamespace, name);
      const request = informer.cache.getByKey(key);
      if (!request) return ignoring('KUBE_NOT_FOUND', admin.resource(Namespaces).delete({ name: service }));
      if (request.status?.namespace || held.has(name) || service.length > 63) return;
      await ignoring(
        'KUBE_ALREADY_EXISTS',
        admin.resource(Namespaces).create({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: service, annotations: { [annotations.apiServiceNamespace]: key } },
        }),
      );
      await bindRole(admin, clusterNamespace, service, binderRoleName(clusterNamespace));
      await requests.patch(
        { namespace: clusterNamespace, name },
        { type: 'merge', patch: { status: { namespace: service } } },
        { subresource: 'status' },
      );
    },
  });
  return {
    hold: (appNamespace: string) => {
      held.add(appNamespace);
      return () => {
        held.delete(appNamespace);
        controller.enqueue(`${clusterNamespace}/${appNamespace}`);
      };
    },
    restart: () => informer.relist(),
    stop: async () => {
      stop.abort();
      await controller.stopped;
      await informer.stopped;
    },
  };
}

async function ignoring(code: 'KUBE_NOT_FOUND' | 'KUBE_ALREADY_EXISTS', work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isKubeError(error, code)) throw error;
  }
}

function core(plural: string, kind: string): ResourceType {
  return { group: '', version: 'v1', plural, kind, namespaced: true };
}

function rbac(plural: string, kind: string, namespaced: boolean): ResourceType {
  return { group: 'rbac.authorization.k8s.io', version: 'v1', plural, kind, namespaced };
}

function apiVersionFor({ group, version }: ResourceType): string {
  return group ? `${group}/${version}` : version;
}
