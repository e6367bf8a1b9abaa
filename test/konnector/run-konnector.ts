import {
  appClusterRules,
  type Konnector,
  type KonnectorDeps,
  type KonnectorOptions,
  startKonnector,
} from '@klutch/konnector';
import { type ClusterConfig, type KubeClient, parseKubeconfig, type ResourceType } from '@klutch/kube';
import type { AppSide } from './app-side.ts';
import { unique } from './clusters.ts';
import type { SampleApi } from './sample-api.ts';
import { type RecordedWrite, recordWrites } from './recorded-writes.ts';

/** A konnector that runs in this process. */
export interface TestKonnector extends Konnector {
  /** Every write it sent, to whichever cluster, those for its lease included. */
  readonly writes: readonly RecordedWrite[];
  /** Stops it as a signal to the process would. */
  stop(): Promise<void>;
}

export interface TestKonnectorOptions
  extends Partial<Pick<KonnectorDeps, 'log' | 'metrics' | 'clock' | 'interceptors'>> {
  /** APIs and claims the konnector is allowed to serve. */
  readonly apis?: readonly SampleApi[];
  readonly claims?: Parameters<typeof appClusterRules>[1];
  /** What differs from a konnector that serves the bindings of the app side. */
  readonly options?: Partial<KonnectorOptions>;
}

/** Short times, so that outages show soon. */
export const quick = { everyMs: 200, retryMs: 50, timeoutMs: 1_500 } as const;

/** Runs a konnector for an app side, with exactly the rights that the generated roles give. */
export async function runKonnector(app: AppSide, options: TestKonnectorOptions = {}): Promise<TestKonnector> {
  const local = await localConfig(app, options);
  return launch({ ...konnectorOptions(app, local), ...options.options }, options);
}

/** How a user with exactly the generated roles reaches the app cluster. */
export async function localConfig(
  app: AppSide,
  options: Pick<TestKonnectorOptions, 'apis' | 'claims'>,
): Promise<ClusterConfig> {
  const user = unique('konnector');
  const types = (options.apis ?? []).map(({ type: { group, plural } }) => ({ group, plural }));
  const rules = appClusterRules(types, options.claims);
  await grantInCluster(app.cluster.admin, user, rules.cluster);
  await grantInNamespace(app.cluster.admin, { kind: 'User', name: user }, app.bindingNamespace, rules.namespace);
  return parseKubeconfig(await app.cluster.kubeconfig({ name: user }), { source: 'the test', trust: 'local' });
}

export function konnectorOptions(app: AppSide, local: ClusterConfig): KonnectorOptions {
  return {
    mode: { kind: 'default' },
    local,
    lease: {
      name: 'klutch-bind',
      namespace: app.bindingNamespace,
      identity: unique('replica'),
      timings: { leaseDurationMs: 4_000, renewDeadlineMs: 3_000, retryPeriodMs: 200 },
    },
    version: '1.2.3',
    bindingNamespace: app.bindingNamespace,
    probe: quick,
  };
}

/** Starts a konnector in this process and waits until it competes for its lease. */
export async function launch(
  options: KonnectorOptions,
  deps: Omit<KonnectorDeps, 'signal'> = {},
): Promise<TestKonnector> {
  const stop = new AbortController();
  const writes: RecordedWrite[] = [];
  const konnector = startKonnector(options, {
    log: deps.log,
    metrics: deps.metrics,
    clock: deps.clock,
    interceptors: [recordWrites('app', writes), ...(deps.interceptors ?? [])],
    signal: stop.signal,
  });
  await konnector.ready;
  return {
    ...konnector,
    writes,
    stop: async () => {
      stop.abort();
      await konnector.stopped;
    },
  };
}

/** Lets a user do something everywhere in a cluster. */
export async function grantInCluster(admin: KubeClient, user: string, rules: readonly object[]): Promise<void> {
  const subjects = [{ apiGroup: rbac, kind: 'User', name: user }];
  await admin.resource(ClusterRoles).create(role('ClusterRole', { name: user }, { rules }));
  await admin
    .resource(ClusterRoleBindings)
    .create(role('ClusterRoleBinding', { name: user }, { subjects, roleRef: roleRef('ClusterRole', user) }));
}

/** Lets somebody do something in a namespace. */
export async function grantInNamespace(
  admin: KubeClient,
  subject: { readonly kind: 'User' | 'ServiceAccount'; readonly name: string },
  namespace: string,
  rules: readonly object[],
): Promise<void> {
  const name = unique('konnector');
  const subjects = [subject.kind === 'User' ? { ...subject, apiGroup: rbac } : { ...subject, namespace }];
  await admin.resource(Roles).create(role('Role', { name, namespace }, { rules }));
  await admin
    .resource(RoleBindings)
    .create(role('RoleBinding', { name, namespace }, { subjects, roleRef: roleRef('Role', name) }));
}

const rbac = 'rbac.authorization.k8s.io';
const type = (plural: string, kind: string, namespaced: boolean): ResourceType => ({
  group: rbac,
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const ClusterRoles = type('clusterroles', 'ClusterRole', false);
const ClusterRoleBindings = type('clusterrolebindings', 'ClusterRoleBinding', false);
const Roles = type('roles', 'Role', true);
const RoleBindings = type('rolebindings', 'RoleBinding', true);

function role(kind: string, metadata: object, content: object) {
  return { apiVersion: `${rbac}/v1`, kind, metadata, ...content };
}

function roleRef(kind: string, name: string): object {
  return { apiGroup: rbac, kind, name };
}
