import { createHash } from 'node:crypto';
import { labels } from '@klutch/api';
import { type Clock, isKubeError, type KubeClient, type Lease, Leases, type ObjectMeta } from '@klutch/kube';

/** Remembers which tickets were used, for all replicas together. */
export interface UsedTickets {
  /** Marks a ticket as used; false when it was marked before. The mark is kept until the ticket has expired. */
  use(id: string, expiresAt: Date): Promise<boolean>;
}

/**
 * Marks tickets by creating Leases: of all replicas that try at once, the API server lets one succeed. Marks are removed by
 * {@link removeExpiredTickets}.
 */
export function createUsedTickets(client: KubeClient, namespace: string, clock: Pick<Clock, 'date'>): UsedTickets {
  return {
    use: async (id, expiresAt) => {
      const digest = createHash('sha256').update(id).digest('hex').slice(0, 40);
      const mark: Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: `klutch-ticket-${digest}`, namespace, labels: { [labels.ticket]: 'used' } },
        spec: { holderIdentity: 'used', ...leaseTimes(clock.date(), expiresAt) },
      };
      try {
        await client.resource(Leases).create(mark);
        return true;
      } catch (error) {
        if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) return false;
        throw error;
      }
    },
  };
}

/**
 * Removes the marks of tickets that have expired, as the leader should every few minutes; returns how many. A minute is
 * added to their time, since clocks of replicas differ.
 */
export async function removeExpiredTickets(
  client: KubeClient,
  namespace: string,
  clock: Pick<Clock, 'date'>,
  signal?: AbortSignal,
): Promise<number> {
  const leases = client.resource(Leases);
  const expired: ObjectMeta[] = [];
  for await (const page of leases.pages({ namespace, labelSelector: labels.ticket, signal })) {
    expired.push(...page.items.filter((lease) => isOver(lease, clock.date())).map(({ metadata }) => metadata));
  }
  for (const { name = '', uid } of expired) {
    await removeMark(name, uid);
  }
  return expired.length;

  async function removeMark(name: string, uid: string | undefined): Promise<void> {
    try {
      await leases.delete({ name, namespace }, { preconditions: { uid }, signal });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND', 'KUBE_CONFLICT')) throw error;
    }
  }
}

const graceMs = 60_000;

function isOver({ spec }: Lease, now: Date): boolean {
  const since = Date.parse(spec?.acquireTime ?? '');
  // A mark without a time was damaged by somebody; nobody can say when its ticket ends, so it stays.
  return since + (spec?.leaseDurationSeconds ?? 0) * 1000 + graceMs < now.getTime();
}

/** The times of a Lease that is kept until something expires, as {@link removeExpiredTickets} reads them. */
export function leaseTimes(
  now: Date,
  expiresAt: Date,
): Pick<NonNullable<Lease['spec']>, 'acquireTime' | 'leaseDurationSeconds'> {
  return {
    acquireTime: now.toISOString().replace('Z', '000Z'),
    leaseDurationSeconds: Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)),
  };
}
