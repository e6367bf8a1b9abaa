import { createHash } from 'node:crypto';
import { labels } from '@klutch/api';
import { type Clock, isKubeError, type KubeClient, type Lease, Leases } from '@klutch/kube';

/** An app cluster that presents an enrolment token. */
export interface Holder {
  /** UID of its `kube-system` Namespace. Others may know it. */
  readonly uid: string;
  /** What it made before it presented the token for the first time. A secret. */
  readonly key: string;
}

/** Whose a token is. */
export type Holding =
  /** Of the app cluster that presents it; `isRegistered` when it was registered by it before. */
  | { readonly by: 'presenter'; readonly isRegistered: boolean }
  | { readonly by: 'another cluster' }
  /** Of this cluster by its UID, but whoever presents the token does not have the key. */
  | { readonly by: 'another key' };

/** An enrolment token, by what its ticket says. */
export interface PresentedToken {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Remembers which app cluster an enrolment token belongs to, for all replicas together and for as long as it is good. */
export interface TokenHolders {
  /** Gives the token to the app cluster, unless it was given to one before. */
  claim(token: PresentedToken, holder: Holder): Promise<Holding>;
  /** Notes that its holder is registered: should the registration go, the token does not bring it back. */
  noteRegistered(token: PresentedToken): Promise<void>;
}

/**
 * Keeps holders in Leases, like the marks of used tickets, with which they are removed: of several app clusters that present a
 * token at once, the API server lets one succeed.
 */
export function createTokenHolders(client: KubeClient, namespace: string, clock: Pick<Clock, 'date'>): TokenHolders {
  const leases = client.resource(Leases);
  return {
    claim: async ({ id, expiresAt }, holder) => {
      const now = clock.date();
      const lease: Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: nameOf(id), namespace, labels: { [labels.ticket]: 'used' } },
        spec: {
          holderIdentity: identityOf(holder),
          acquireTime: microTime(now),
          leaseDurationSeconds: Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)),
        },
      };
      try {
        await leases.create(lease);
        return { by: 'presenter', isRegistered: false };
      } catch (error) {
        if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
        return holdingOf(await leases.get({ namespace, name: nameOf(id) }), holder);
      }
    },
    noteRegistered: async ({ id }) => {
      const lease = await leases.get({ namespace, name: nameOf(id) });
      if (isRegistered(lease)) return;
      const renewTime = microTime(clock.date());
      try {
        await leases.replace({ ...lease, spec: { ...lease.spec, renewTime } });
      } catch (error) {
        // Another replica noted the same.
        if (!isKubeError(error, 'KUBE_CONFLICT')) throw error;
      }
    },
  };
}

/** Pure: whose a token is, by its Lease. */
export function holdingOf(lease: Lease, holder: Holder): Holding {
  const held = lease.spec?.holderIdentity ?? '';
  if (held === identityOf(holder)) return { by: 'presenter', isRegistered: isRegistered(lease) };
  const [uid] = held.split('.');
  return { by: uid === digestOf(holder.uid) ? 'another key' : 'another cluster' };
}

/** Renewed once, when the app cluster was registered. */
function isRegistered({ spec }: Lease): boolean {
  return spec?.renewTime !== undefined;
}

function identityOf({ uid, key }: Holder): string {
  return `${digestOf(uid)}.${digestOf(key)}`;
}

function nameOf(id: string): string {
  return `klutch-enrolment-${createHash('sha256').update(id).digest('hex').slice(0, 40)}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
