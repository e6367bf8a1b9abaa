import {
  type APIServiceExport,
  APIServiceExports,
  APIServiceNamespaces,
  apiVersion,
  ClusterBindings,
  type InformerScope,
  isConditionTrue,
  kubeconfigKey,
  type OfferedApi,
  type PermissionClaim,
} from '@klutch/api';
import {
  type Clock,
  connect,
  createSharedInformers,
  type Interceptor,
  isKubeError,
  type KubeClient,
  Namespaces,
  parseKubeconfig,
  Secrets,
  silentLogger,
  systemClock,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import type { AuditRecord } from '../../packages/backend/src/audit/audit.ts';
import { runClusterBindings } from '../../packages/backend/src/clusterbindings/run-cluster-bindings.ts';
import { runCredentials } from '../../packages/backend/src/credentials/run-credentials.ts';
import { createOwnRights } from '../../packages/backend/src/grants/own-rights.ts';
import { runOwnRights } from '../../packages/backend/src/grants/run-own-rights.ts';
import type { Caller } from '../../packages/backend/src/policy/caller.ts';
import type { Tenant } from '../../packages/backend/src/policy/tenant.ts';
import { runServiceNamespaces } from '../../packages/backend/src/servicenamespaces/run-service-namespaces.ts';
import { createTenants } from '../../packages/backend/src/tenants/create-tenants.ts';
import type { Tenants } from '../../packages/backend/src/tenants/tenants.ts';
import { installCrd, type RecordedWrite, recordWrites, type SampleApi, type TestCluster } from '../konnector/world.ts';
import { sharedAccount } from './backend-account.ts';

export { stayQuiet, type SampleApi, sampleApi, type TestCluster, unique } from '../konnector/world.ts';
export { onOwnPlane } from './exports-world.ts';

export interface BackendSettings {
  readonly scope?: InformerScope;
  readonly lifetimeSeconds?: number;
  readonly graceSeconds?: number;
  /** Default 0: never. */
  readonly expirySeconds?: number;
  readonly clustersPerTenant?: number;
  /** Name in the certificate of the control plane, if kubeconfigs have to tell. */
  readonly serverName?: string;
  readonly clock?: Clock;
  readonly interceptors?: readonly Interceptor[];
  /** Exports whose rights the backend must be able to hand out. */
  readonly exports?: readonly APIServiceExport['spec'][];
}

/** The part of a backend that knows app clusters, with exactly the rights it needs. */
export interface TestBackend {
  readonly tenants: Tenants;
  readonly writes: readonly RecordedWrite[];
  /** What was recorded for the operator. */
  readonly audited: readonly AuditRecord[];
  /** Runs what the leader runs until it is called off. */
  lead(): Promise<Leader>;
  close(): Promise<void>;
}

export interface Leader {
  /** Has a cluster namespace looked at now. */
  look(namespace: string): void;
  stop(): Promise<void>;
}

export async function openBackend(plane: TestCluster, settings: BackendSettings = {}): Promise<TestBackend> {
  const { scope = 'Namespaced', clock = systemClock, exports = [] } = settings;
  const account = await sharedAccount(plane, { consumerScope: scope, offers: exports.map(offeredBy) });
  const writes: RecordedWrite[] = [];
  const audited: AuditRecord[] = [];
  const audit = { record: (entry: AuditRecord) => void audited.push(entry) };
  const client = connect(account.config, {
    userAgent: 'klutch-backend/test',
    interceptors: [...(settings.interceptors ?? []), recordWrites('control-plane', writes)],
  });
  // Rights are effective a moment after they were written.
  await eventually(() => client.resource(Namespaces).list({ limit: 1 }), { withinMs: 60_000, everyMs: 50 });
  const options = {
    namespacePrefix: 'cluster',
    prettyName: 'Test provider',
    external: { server: plane.url, ca: plane.caCertificate, serverName: settings.serverName },
    credentials: {
      lifetimeSeconds: settings.lifetimeSeconds ?? 600,
      graceSeconds: settings.graceSeconds ?? 60,
      expirySeconds: settings.expirySeconds ?? 0,
    },
    quotas: {
      clustersPerTenant: settings.clustersPerTenant ?? 100,
      namespacesPerCluster: 100,
      objectsPerNamespace: 1000,
    },
    consumerScope: scope,
  };
  const stop = new AbortController();
  const informers = createSharedInformers(client, stop.signal);
  const rights = createOwnRights({ client, clock, ...account });
  const leaders = new Set<Leader>();
  return {
    tenants: createTenants({
      client,
      informers,
      options,
      rights,
      catalogue: { all: () => [] },
      clock,
    }),
    writes,
    audited,
    lead: async () => {
      const term = new AbortController();
      const deps = {
        client,
        informers,
        catalogue: everythingOffered,
        options,
        rights,
        clock,
        audit,
        log: silentLogger,
        signal: term.signal,
      };
      const controllers = [
        runOwnRights(deps),
        runClusterBindings(deps),
        runCredentials(deps),
        runServiceNamespaces(deps),
      ];
      await Promise.all(controllers.map(({ ready }) => ready));
      const leader: Leader = {
        look: (namespace) => {
          for (const { enqueue } of controllers) enqueue(namespace);
        },
        stop: async () => {
          leaders.delete(leader);
          term.abort();
          await Promise.all(controllers.map(({ stopped }) => stopped));
        },
      };
      leaders.add(leader);
      return leader;
    },
    close: async () => {
      await Promise.all([...leaders].map((leader) => leader.stop()));
      stop.abort();
      await informers.stopped;
      await client.close();
    },
  };
}

/** A catalogue of a control plane on which no entitlement ends. */
const everythingOffered = {
  all: () => [],
  withdrawal: () => undefined,
  onChange: () => () => {},
  synced: Promise.resolve(),
};

/** Waits with a deadline that leaves room for a loaded machine. */
export async function soon<T>(look: () => T | false | undefined | Promise<T | false | undefined>): Promise<T> {
  return eventually(look, { withinMs: 60_000, everyMs: 50 });
}

/** A clock that runs as usual but shows another time of day when told to. */
export function shiftableClock(): Clock & { shift(ms: number): void } {
  let offset = 0;
  return {
    ...systemClock,
    date: () => new Date(Date.now() + offset),
    shift: (ms) => {
      offset += ms;
    },
  };
}

const issuer = 'https://issuer.example';

export function team(name: string): Tenant {
  return { identity: JSON.stringify(['group', issuer, name]), name };
}

export function person(subject: string): Caller {
  return { kind: 'person', issuer, subject, clientId: 'klutch', groups: [], displayName: subject };
}

/** A client that uses a kubeconfig as an app cluster would; close it. */
function openWith(kubeconfig: string): KubeClient {
  return connect(parseKubeconfig(kubeconfig, { source: 'the app cluster', trust: 'foreign' }), {
    userAgent: 'klutch-konnector/test',
  });
}

/** What an export of the API says. */
export function exportSpec(api: SampleApi, claims: readonly PermissionClaim[] = []): APIServiceExport['spec'] {
  const isolation = api.type.namespaced ? {} : { clusterScopedIsolation: 'Prefixed' as const };
  return {
    ...api.exported,
    informerScope: api.type.namespaced ? 'Namespaced' : 'Cluster',
    permissionClaims: [...claims],
    ...isolation,
  };
}

/** Installs an API and exports it to an app cluster. */
export async function publish(
  { admin }: TestCluster,
  namespace: string,
  api: SampleApi,
  claims: readonly PermissionClaim[] = [],
): Promise<void> {
  await installCrd(admin, api.crd);
  await admin
    .resource(APIServiceExports)
    .apply(
      { apiVersion, kind: 'APIServiceExport', metadata: { name: api.name, namespace }, spec: exportSpec(api, claims) },
      { fieldManager: 'klutch-test', force: true },
    );
}

/** A service namespace of an app cluster, asked for as its konnector does; there must be a leader. */
export async function addServiceNamespace(
  { admin }: TestCluster,
  clusterNamespace: string,
  name: string,
): Promise<string> {
  const mappings = admin.resource(APIServiceNamespaces);
  const metadata = { name, namespace: clusterNamespace };
  await mappings.create({ apiVersion, kind: 'APIServiceNamespace', metadata });
  return soon(async () => {
    const { status } = await mappings.get(metadata);
    return isConditionTrue(status?.conditions, 'Ready') && status?.namespace;
  });
}

/** What a template says of which this is an export. */
function offeredBy({ group, names, permissionClaims = [] }: APIServiceExport['spec']): OfferedApi {
  return { group, resource: names.plural, permissionClaims };
}

/** The kubeconfig that is offered to the konnector of an app cluster. */
export async function readKubeconfig({ admin }: TestCluster, namespace: string): Promise<string> {
  const secret = await admin.resource(Secrets).get({ namespace, name: 'kubeconfig' });
  return Buffer.from(secret.data?.[kubeconfigKey] ?? '', 'base64').toString();
}

/** The token in a kubeconfig. */
export function tokenOf(kubeconfig: string): string {
  const { auth } = parseKubeconfig(kubeconfig, { source: 'the test', trust: 'foreign' });
  return auth.kind === 'token' ? auth.token : '';
}

/** Works with a kubeconfig as an app cluster would. */
export async function useAs<T>(kubeconfig: string, work: (client: KubeClient) => Promise<T>): Promise<T> {
  const client = openWith(kubeconfig);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Whether the control plane does not know who that is any more. */
export async function isRefused(kubeconfig: string, namespace: string): Promise<boolean> {
  const client = openWith(kubeconfig);
  try {
    await client.resource(Secrets).list({ namespace });
    return false;
  } catch (error) {
    return isKubeError(error, 'KUBE_UNAUTHORIZED');
  } finally {
    await client.close();
  }
}

/** A sign of life, as a konnector with that kubeconfig gives it. */
export async function heartbeat(kubeconfig: string, namespace: string, at: Date): Promise<void> {
  const status = { lastHeartbeatTime: at.toISOString().replace(/\.\d+Z$/, 'Z'), heartbeatInterval: '5m0s' };
  await useAs(kubeconfig, (client) =>
    client
      .resource(ClusterBindings)
      .patch({ namespace, name: 'cluster' }, { type: 'merge', patch: { status } }, { subresource: 'status' }),
  );
}
