import { createHash } from 'node:crypto';
import { annotations, KlutchError, maxNameLength } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import type { PresentedCluster } from './app-cluster.ts';

/**
 * Name of the namespace that stands for an app cluster: follows from the id alone, so that of several who register one at
 * the same time one succeeds. Different ids give different names, also those that differ in case only.
 */
export function clusterNamespaceName(prefix: string, clusterId: string): string {
  const digest = appClusterDigest(clusterId);
  const stem = prefix.slice(0, maxNameLength - digest.length - 1).replace(/-+$/, '');
  return `${stem}-${digest}`;
}

/** Value of the label by which the namespace of an app cluster is found. */
export function appClusterDigest(clusterId: string): string {
  return digestOf(clusterId);
}

/** Value of the label by which the namespaces of a tenant are found. */
export function tenantDigest(identity: string): string {
  return digestOf(identity);
}

/** Throws `KLUTCH_REQUEST_INVALID` unless an app cluster is presented with an id, and a UID if any, of the right form. */
export function checkPresented({ id, uid }: PresentedCluster): void {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(id)) {
    const form = '1 to 64 letters, digits, dots, dashes and underscores';
    throw new KlutchError('KLUTCH_REQUEST_INVALID', `The id of the app cluster has to consist of ${form}.`);
  }
  if (uid !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(uid)) {
    const form = '1 to 64 letters, digits and dashes';
    throw new KlutchError('KLUTCH_REQUEST_INVALID', `The UID of the app cluster has to consist of ${form}.`);
  }
}

/** Whether a namespace stands for an app cluster that was bound by a login, with this backend or with the one in Go. */
export function isClusterNamespace({ metadata }: Pick<Namespace, 'metadata'>): boolean {
  const { [annotations.tenantIdentity]: tenant, [annotations.identity]: identity } = metadata.annotations ?? {};
  return tenant !== undefined || identity !== undefined;
}

/** Why an app cluster has no access. */
export type AccessEnd = 'Revoked' | 'Expired';

/** Whether and why the access of the app cluster has ended. */
export function accessEnd({ metadata }: Pick<Namespace, 'metadata'>): AccessEnd | undefined {
  const mark = metadata.annotations?.[annotations.access];
  return mark === 'Revoked' || mark === 'Expired' ? mark : undefined;
}

/** 80 bits in 16 characters that may stand in any name. */
function digestOf(text: string): string {
  const hex = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 20);
  return BigInt(`0x${hex}`).toString(32).padStart(16, '0');
}
