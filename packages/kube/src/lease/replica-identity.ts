import { randomUUID } from 'node:crypto';

/**
 * Identity of this process as a candidate for a lease, in the form that the components of Kubernetes use. Names of pods
 * come again: two processes of one name, on both sides of a partition, would each take the other's lease for their own.
 */
export function replicaIdentity(name: string): string {
  return `${name}_${randomUUID()}`;
}
