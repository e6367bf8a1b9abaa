import { randomBytes } from 'node:crypto';
import type { OfferedApi, PermissionClaim } from '@klutch/api';
import { type Backend, type BackendOptions, startBackend, type WebOptions } from '@klutch/backend';
import { type Clock, connect, type KubeClient } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import { type RecordedWrite, recordWrites, type SampleApi, type TestCluster, unique } from '../konnector/world.ts';
import { type BackendAccount, backendAccount } from './backend-account.ts';
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
  readonly clock?: Clock;
  /** An account that was made before, as it is. */
  readonly held?: BackendAccount;
  /** Starts one more replica of the same backend. */
  readonly of?: Launched;
}

/** A backend that runs with the rights it generates for itself, and no others. */
export interface Launched extends BackendAccount {
  readonly backend: Backend;
  readonly writes: readonly RecordedWrite[];
  /** What was logged, a line each. */
  readonly lines: readonly string[];
  readonly options: BackendOptions;
  stop(): Promise<void>;
}

/** Starts a backend; it ends with the test at the latest. */
export async function launch(plane: TestCluster, settings: LaunchSettings = {}): Promise<Launched> {
  const held = settings.of ?? settings.held ?? (await account(plane, settings));
  const options: BackendOptions = {
    ...(settings.of?.options ?? optionsFor(plane, held, settings)),
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
    clock: settings.clock,
    interceptors: [recordWrites('control-plane', writes)],
  });
  const end = async () => {
    stop.abort();
    await backend.stopped;
  };
  onTestFinished(end);
  await backend.ready;
  return { ...held, backend, writes, lines, options, stop: end };
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
  { config: cluster, namespace, tenantRole }: BackendAccount,
  { controlPlaneMode = false, web }: LaunchSettings,
): Omit<BackendOptions, 'lease'> {
  return {
    version: '1.2.3',
    cluster,
    namespace,
    tenantRole,
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

/** An account for the backend of these settings. */
export async function account(
  plane: TestCluster,
  { offers = [], controlPlaneMode, options }: LaunchSettings,
): Promise<BackendAccount> {
  const { consumerScope } = options ?? {};
  return await backendAccount(plane, { offers: offers.map(offeredBy), controlPlaneMode, consumerScope });
}

function offeredBy({ api, claims = [] }: Offered): OfferedApi {
  return { group: api.type.group, resource: api.type.plural, permissionClaims: claims };
}
