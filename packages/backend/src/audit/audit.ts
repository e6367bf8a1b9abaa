import type { KlutchErrorCode } from '@klutch/api';

/** What somebody did or tried to do. */
export type AuditAction =
  | 'Login'
  | 'Bind'
  | 'Grant'
  | 'Rotate'
  | 'Evict'
  | 'Unbind'
  | 'Withdraw'
  | 'Revoke'
  | 'Restore'
  | 'Purge'
  | 'Enrol'
  | 'Expire';

/** One entry of the audit record. It never holds a token, a code or a kubeconfig. */
export interface AuditRecord {
  readonly action: AuditAction;
  /** `<issuer>/<subject>`, the user name of a service account, or one of {@link actors}. */
  readonly who: string;
  /** Name of the tenant. */
  readonly tenant?: string;
  /** The namespace that represents the app cluster. */
  readonly clusterNamespace?: string;
  /** What it was done to, such as names of APIs. */
  readonly what?: readonly string[];
  readonly result: 'success' | KlutchErrorCode;
}

/** Where everything goes that an operator may have to account for later. */
export interface Audit {
  /** Writes one log line and, where there is a ClusterBinding, an Event on it. Returns at once and never throws. */
  record(entry: AuditRecord): void;
}

/** Those who act without an identity that was verified. */
export const actors = {
  /** The backend by itself. */
  backend: 'klutch-backend',
  /** Whoever may change the namespaces of the backend; the control plane's own audit log has the name. */
  operator: 'operator',
  /** A caller whose identity could not be verified. */
  unknown: 'unknown',
} as const;

/** The user name of the service account with which an app cluster acts in its namespace. */
export function tenantAccount(clusterNamespace: string): string {
  return `system:serviceaccount:${clusterNamespace}:klutch-binder`;
}
