import type { ClusterScopedIsolation, InformerScope } from '@klutch/api';
import type { ClusterConfig, LeaseTimings } from '@klutch/kube';
import type { Rereadable } from './follow.ts';

/** All that a backend is told. */
export interface BackendOptions {
  readonly version: string;
  /** The control plane. */
  readonly cluster: ClusterConfig;
  /** Namespace of the backend itself: its lease, and marks of used tickets. */
  readonly namespace: string;
  /** ClusterRole that the backend binds to itself in each namespace it makes for a tenant. */
  readonly tenantRole: string;
  readonly prettyName: string;
  readonly namespacePrefix: string;
  readonly consumerScope: InformerScope;
  readonly isolation: ClusterScopedIsolation;
  /** How app clusters reach the API server of the control plane. */
  readonly external: ExternalAddress;
  /** Absent: no web server. */
  readonly web?: WebOptions;
  /** Where the web server listens. */
  readonly listen: ListenOptions;
  /** Where health and metrics are. */
  readonly operations: OperationsOptions;
  readonly controlPlaneMode: boolean;
  /** Image of the konnectors that are deployed for AppClusterBindings. */
  readonly konnectorImage: string;
  /** Konnector images that AppClusterBindings may ask for besides that one, as prefixes. */
  readonly konnectorImages: readonly string[];
  readonly credentials: CredentialOptions;
  readonly quotas: Quotas;
  readonly lease: { readonly name: string; readonly identity: string; readonly timings?: Partial<LeaseTimings> };
}

export interface ExternalAddress {
  readonly server: string;
  /** PEM. */
  readonly ca?: string;
  readonly serverName?: string;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Files, read again when they change. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

export interface OperationsOptions {
  readonly host: string;
  readonly port: number;
}

export interface CredentialOptions {
  /** Seconds a credential is good for. */
  readonly lifetimeSeconds: number;
  /** Seconds for which a replaced credential goes on working. */
  readonly graceSeconds: number;
  /** Seconds without a sign of life after which the access of an app cluster ends; 0: never. */
  readonly expirySeconds: number;
}

export interface Quotas {
  readonly clustersPerTenant: number;
  readonly namespacesPerCluster: number;
  /** Of each type that an app cluster may create, in each of its namespaces. */
  readonly objectsPerNamespace: number;
}

/** The web server: login, catalogue, machines. */
export interface WebOptions {
  /** Where browsers and CLIs reach this backend; no slash at the end. */
  readonly baseUrl: string;
  /** Lets addresses be http although they are not of this machine; for trying things out. Default false. */
  readonly allowHttp?: boolean;
  /** Addresses and networks of proxies whose word about the client's address counts. */
  readonly trustedProxies?: readonly string[];
  readonly issuer: IssuerOptions;
  readonly policy: PolicyOptions;
  /** Of 32 bytes or more each, the same in all replicas: the first seals tickets and cookies, all of them open. */
  readonly sealingKeys: Rereadable<readonly Uint8Array[]>;
  /** Requests a minute. */
  readonly limits: { readonly perSubject: number; readonly perAddress: number };
}

export interface IssuerOptions {
  readonly url: string;
  readonly clientId: string;
  /** Tried one after the other until the issuer accepts one; an empty one means a client without a secret. */
  readonly clientSecrets: Rereadable<readonly string[]>;
  /** Where the issuer sends the browser back to. */
  readonly callbackUrl: string;
  /** What browsers are told to open; default `<base URL>/authorize`. */
  readonly authorizeUrl?: string;
  /** PEM, besides the authorities the system trusts. */
  readonly ca?: string;
  readonly scopes: readonly string[];
  /** Clients besides the own one whose ID tokens are accepted. */
  readonly otherClientIds: readonly string[];
}

/** Who may bind, and for which tenant. */
export interface PolicyOptions {
  readonly allowAll: boolean;
  readonly allowedUsers: readonly string[];
  readonly allowedGroups: readonly string[];
  readonly groupsClaim: string;
  /** Absent: everybody is a tenant of their own. Its first group captures the tenant's name. */
  readonly tenantGroups?: RegExp;
  readonly machines: {
    readonly scope: string;
    /** Client id to tenant name; without a name the client is a tenant of its own. */
    readonly clients: ReadonlyMap<string, string | undefined>;
    /** Audiences of which a token that has any must name one. */
    readonly audiences: readonly string[];
    /** Accepts tokens without an audience, such as the access tokens of Amazon Cognito. Default false. */
    readonly allowNoAudience?: boolean;
  };
}
