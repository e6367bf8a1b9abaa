import { randomBytes } from 'node:crypto';
import type { PermissionClaim } from '@klutch/api';
import { type Backend, type BackendOptions, backendRoles, startBackend, type WebOptions } from '@klutch/backend';
import { type ClusterConfig, connect, type KubeClient, Namespaces, parseKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import {
  ClusterRoleBindings,
  ClusterRoles,
  RoleBindings,
  Roles,
  rbacGroup,
} from '../../packages/backend/src/objects/rbac.ts';
import { type RecordedWrite, recordWrites, type SampleApi, type TestCluster, unique } from '../konnector/world.ts';
import { linesLogger } from './web-world.ts';

/** What a template offers. */
export interface Offered {
  readonly api: SampleApi;
  readonly claims?: readonly PermissionClaim[];
}

export interface LaunchSettings {
  /** The backend gets exactly the rights that follow from these. */
  readonly offers?: readonly Offered[];
  readonly controlPlaneMode?: boolean;
  readonly web?: WebOptions;
  readonly options?: Partial<BackendOptions>;
  /** Starts one more replica of the same backend. */
  readonly of?: Launched;
}

/** A backend that runs with the rights it generates for itself, and no others. */
export interface Launched {
  readonly backend: Backend;
  readonly user: string;
  readonly namespace: string;
  /** As the backend itself; close it. */
  readonly config: ClusterConfig;
  readonly writes: readonly RecordedWrite[];
  /** What was logged, a line each. */
  readonly lines: readonly string[];
  readonly options: BackendOptions;
  stop(): Promise<void>;
}

/** Starts a backend; it ends with the test at the latest. */
export async function launch(plane: TestCluster, settings: LaunchSettings = {}): Promise<Launched> {
  const { user, namespace } = settings.of ?? (await account(plane, settings));
  const config = parseKubeconfig(await plane.kubeconfig({ name: user }), { source: 'the test', trust: 'local' });
  const options: BackendOptions = {
    ...(settings.of?.options ?? optionsFor(plane, config, namespace, settings)),
    ...settings.options,
    lease: {
      name: 'klutch-backend',
      identity: unique('replica'),
      timings: { leaseDurationMs: 6_000, renewDeadlineMs: 4_000, retryPeriodMs: 300 },
    },
  };
  const stop = new AbortController();
  const writes: RecordedWrite[] = [];
  const lines: string[] = [];
  const backend = startBackend(options, {
    signal: stop.signal,
    log: linesLogger(lines),
    metrics: new Registry(),
    interceptors: [recordWrites('control-plane', writes)],
  });
  const end = async () => {
    stop.abort();
    await backend.stopped;
  };
  onTestFinished(end);
  await backend.ready;
  return { backend, user, namespace, config, writes, lines, options, stop: end };
}

/** Asks at the operations address. */
export async function askOperations(
  { backend }: Launched,
  path: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(new URL(path, backend.operationsUrl()), { headers: { connection: 'close' } });
  return { status: answer.status, text: await answer.text() };
}

/** Waits until the backend says that it is ready. */
export async function untilReady(launched: Launched): Promise<void> {
  await patiently(async () => (await askOperations(launched, '/readyz')).status === 200);
}

/** Waits until the backend runs its controllers. */
export async function untilLeading({ backend, lines }: Launched): Promise<void> {
  await patiently(() => backend.isLeader() && lines.some((line) => line.includes('controller ready')));
}

/** Waits with a deadline that leaves room for a loaded machine. */
export async function patiently<T>(look: () => T | false | undefined | Promise<T | false | undefined>): Promise<T> {
  return await eventually(look, { withinMs: 60_000, everyMs: 50 });
}

/** Web options with an issuer; the same for all replicas. */
export function webFor(issuer: { readonly url: string }, baseUrl: string): WebOptions {
  return {
    baseUrl,
    issuer: {
      url: issuer.url,
      clientId: 'klutch',
      clientSecrets: { value: ['client-secret'] },
      callbackUrl: `${baseUrl}/callback`,
      scopes: ['openid', 'email'],
      otherClientIds: [],
    },
    policy: {
      allowAll: true,
      allowedUsers: [],
      allowedGroups: [],
      groupsClaim: 'groups',
      machines: { scope: 'klutch/bind', clients: new Map([['pipeline', 'acme']]), audiences: ['klutch'] },
    },
    sealingKeys: { value: [randomBytes(32)] },
    limits: { perSubject: 1_000, perAddress: 10_000 },
  };
}

/** A client as the backend itself; it ends with the test. */
export function asBackend({ config }: Launched): KubeClient {
  const client = connect(config, { userAgent: 'klutch-test/1' });
  onTestFinished(() => client.close());
  return client;
}

function optionsFor(
  plane: TestCluster,
  cluster: ClusterConfig,
  namespace: string,
  { controlPlaneMode = false, web }: LaunchSettings,
): Omit<BackendOptions, 'lease'> {
  return {
    version: '1.2.3',
    cluster,
    namespace,
    prettyName: 'Acme',
    namespacePrefix: 'cluster',
    consumerScope: 'Namespaced',
    isolation: 'Prefixed',
    external: { server: plane.url, ca: plane.caCertificate },
    ...(web ? { web } : {}),
    listen: { host: '127.0.0.1', port: 0 },
    operations: { host: '127.0.0.1', port: 0 },
    controlPlaneMode,
    konnectorImage: 'registry.example.org/konnector:v1',
    konnectorImages: ['registry.example.org/konnector'],
    credentials: { lifetimeSeconds: 3600, graceSeconds: 600, expirySeconds: 90 * 86_400 },
    quotas: { clustersPerTenant: 10, namespacesPerCluster: 10, objectsPerNamespace: 1000 },
  };
}

/** A namespace and a user with the generated roles. */
export async function account(
  { admin }: TestCluster,
  { offers = [], controlPlaneMode = false, options }: LaunchSettings,
): Promise<{ readonly user: string; readonly namespace: string }> {
  const user = unique('backend');
  const namespace = user;
  await admin.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const grounds = {
    offers: offers.map(({ api, claims = [] }) => ({
      group: api.type.group,
      resource: api.type.plural,
      permissionClaims: claims,
    })),
    consumerScope: options?.consumerScope ?? 'Namespaced',
    controlPlaneMode,
  };
  const { clusterRole, role } = backendRoles(grounds, { name: user, namespace });
  const apiVersion = `${rbacGroup}/v1`;
  const subjects = [{ kind: 'User', name: user, apiGroup: rbacGroup }];
  const roleRef = (kind: string) => ({ apiGroup: rbacGroup, kind, name: user });
  await admin.resource(ClusterRoles).create(clusterRole);
  await admin.resource(Roles).create(role);
  await admin.resource(ClusterRoleBindings).create({
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: user },
    subjects,
    roleRef: roleRef('ClusterRole'),
  });
  await admin.resource(RoleBindings).create({
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name: user, namespace },
    subjects,
    roleRef: roleRef('Role'),
  });
  return { user, namespace };
}
