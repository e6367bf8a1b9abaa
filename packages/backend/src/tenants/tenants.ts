import type { Caller } from '../policy/caller.ts';
import type { Tenant } from '../policy/tenant.ts';
import type { Offer } from '../templates/catalogue.ts';
import type { PresentedCluster, Provisioned } from './app-cluster.ts';

/** The app clusters of all tenants: what HTTP asks of the control plane. Safe to use in several replicas at once. */
export interface Tenants {
  /**
   * Which of the caller's tenants the cluster belongs to; undefined when nobody has registered it. Throws
   * `KLUTCH_CLUSTER_IDENTITY_TAKEN` when it belongs to none of them or to another cluster.
   */
  ownerOf(cluster: PresentedCluster, tenants: readonly Tenant[], caller: Caller): Promise<Tenant | undefined>;
  /**
   * Registers the cluster with the tenant, unless it is, and issues a credential. Whatever an earlier attempt left
   * half-made is completed. Throws `KLUTCH_CLUSTER_IDENTITY_TAKEN`, `KLUTCH_ACCESS_REVOKED`, `KLUTCH_QUOTA_EXCEEDED`.
   */
  provision(cluster: PresentedCluster, tenant: Tenant, caller: Caller): Promise<Provisioned>;
  /**
   * The cluster namespace a credential belongs to, by asking the API server; throws `KLUTCH_TOKEN_INVALID` unless it is
   * a live credential of an app cluster.
   */
  namespaceOf(token: string): Promise<string>;
  /** Name of the tenant that a cluster namespace belongs to; undefined when it has none, as after a Go backend. */
  tenantNameOf(namespace: string): Promise<string | undefined>;
  /** Issues a new credential, offers it to the konnector, and lets the ones before it retire soon. */
  rotate(namespace: string): Promise<Provisioned>;
  /**
   * Which of the tenants the app cluster of a namespace belongs to; throws `KLUTCH_CLUSTER_IDENTITY_TAKEN` when it is none of
   * theirs, or no app cluster at all.
   */
  ownerOfNamespace(namespace: string, tenants: readonly Tenant[]): Promise<Tenant>;
  /**
   * Ends all credentials of an app cluster of the tenant, waits until no API server accepts them any more, and only then issues
   * a new one. Throws `KLUTCH_CLUSTER_IDENTITY_TAKEN`, `KLUTCH_ACCESS_REVOKED`.
   */
  evict(namespace: string, tenant: Tenant): Promise<Provisioned>;
  /** Ends all credentials of the cluster but the one the token is of. */
  retireOthers(namespace: string, token: string): Promise<void>;
  /** Asks for exports in the name of the cluster; those that are there, or asked for, are left alone. */
  requestExports(namespace: string, offers: readonly Offer[]): Promise<void>;
  /** Withdraws exports, and with them the rights; data stays. Names of APIs that were not exported are ignored. */
  withdraw(namespace: string, apis: readonly { readonly group: string; readonly resource: string }[]): Promise<void>;
  /**
   * Deletes the cluster namespace, by which all credentials end and the place in the quota is free; nothing when that has begun.
   * Throws `KLUTCH_BINDING_IN_USE`, and changes nothing, while service namespaces of the cluster hold objects.
   */
  release(namespace: string): Promise<void>;
}
