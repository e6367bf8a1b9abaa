import { type Backend, type BackendOptions, startBackend } from '@klutch/backend';
import { goKonnectorImage } from '@klutch/api';
import { type ClusterConfig, type Logger, replicaIdentity } from '@klutch/kube';
import type { State } from '../state/state.ts';
import { backendNamespace, type Cluster } from './clusters.ts';

/** Ids of the clients that the issuer knows. */
export const clients = { backend: 'klutch-backend', machine: 'pipeline' } as const;

export interface BackendPlace {
  readonly controlPlane: Cluster;
  /** How the backend connects to it, with its own rights. */
  readonly access: ClusterConfig;
  readonly issuer: string;
  readonly state: State;
  readonly version: string;
}

/** Starts the backend of the sandbox: every user of the embedded issuer may bind, each for themselves. */
export function startSandboxBackend(
  place: BackendPlace,
  deps: { readonly signal: AbortSignal; readonly log: Logger },
): Backend {
  return startBackend(optionsOf(place), deps);
}

function optionsOf({ controlPlane, access, issuer, state, version }: BackendPlace): BackendOptions {
  const baseUrl = `http://127.0.0.1:${state.ports.backend}`;
  return {
    version,
    cluster: access,
    namespace: backendNamespace,
    tenantRole: 'klutch-backend-tenant',
    prettyName: 'Klutch sandbox',
    namespacePrefix: 'klutch',
    consumerScope: 'Namespaced',
    isolation: 'Prefixed',
    external: { server: controlPlane.server.url, ca: controlPlane.server.caCertificate },
    listen: { host: '127.0.0.1', port: state.ports.backend },
    operations: { host: '127.0.0.1', port: 0 },
    controlPlaneMode: false,
    konnectorImage: `${goKonnectorImage.repository}:v${version}`,
    konnectorImages: [],
    credentials: { lifetimeSeconds: 7 * 24 * 3600, graceSeconds: 3600, expirySeconds: 0 },
    quotas: { clustersPerTenant: 50, namespacesPerCluster: 200, objectsPerNamespace: 1000 },
    lease: { name: 'klutch-backend', identity: replicaIdentity('sandbox'), timings: soleTimings },
    web: {
      baseUrl,
      issuer: {
        url: issuer,
        clientId: clients.backend,
        clientSecrets: { value: [state.clientSecret] },
        callbackUrl: `${baseUrl}/callback`,
        scopes: ['openid', 'profile', 'email', 'groups'],
        otherClientIds: [],
      },
      policy: {
        allowAll: true,
        allowedUsers: [],
        allowedGroups: [],
        groupsClaim: 'groups',
        machines: { scope: 'klutch/bind', clients: new Map([[clients.machine, undefined]]), audiences: ['klutch'] },
      },
      sealingKeys: { value: [Buffer.from(state.sealingKey, 'base64')] },
      limits: { perSubject: 60, perAddress: 600 },
    },
  };
}

/** Nobody competes for the lease but a predecessor that was killed; waiting for it to expire should not take long. */
export const soleTimings = { leaseDurationMs: 6_000, renewDeadlineMs: 4_000, retryPeriodMs: 500 };
