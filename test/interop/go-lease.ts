import { lease } from '@klutch/api';
import { type Lease, Leases } from '@klutch/kube';
import type { Stage } from './stage.ts';

/** Leaves the lease as a Go konnector leaves it when it is told to stop, released but not deleted; or as it holds it. */
export async function leaveGoLease(stage: Stage, held: Partial<Lease['spec']> = {}): Promise<void> {
  const now = new Date().toISOString().replace('Z', '000Z');
  const left: Lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: lease.name, namespace: stage.app.bindingNamespace },
    spec: {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 1,
      ...held,
    },
  };
  await stage.clusters.app.admin.resource(Leases).create(left);
}

/** The lease of all konnectors of a stage. */
export async function leaseOf(stage: Stage): Promise<Lease> {
  return await stage.clusters.app.admin
    .resource(Leases)
    .get({ namespace: stage.app.bindingNamespace, name: lease.name });
}
