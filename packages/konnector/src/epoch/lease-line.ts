import { annotations } from '@klutch/api';
import { type KubeClient, type Lease, Leases, type Logger, type ObjectRef, type ResourceClient } from '@klutch/kube';
import { createLine, type Line } from './line.ts';
import { parseMark, renderMark } from './mark.ts';

/** The line of the cluster with the lease of an election. Its renewals carry the mark, at no further cost. */
export interface LeaseLine extends Line {
  /** For the election, and for nobody else. */
  readonly client: KubeClient;
  /** Calls back when the cluster went back in time; call the result to end it. The callback resolves when all was read anew. */
  onSetBack(relist: () => Promise<void>): () => void;
}

export interface LeaseLineOptions {
  readonly client: KubeClient;
  readonly lease: ObjectRef;
  /** Renews the lease without waiting until that is due. */
  readonly renew: () => Promise<void>;
  readonly log: Logger;
}

export function createLeaseLine({ client, lease: ref, renew, log }: LeaseLineOptions): LeaseLine {
  const leases = client.resource(Leases);
  const relists = new Set<() => Promise<void>>();
  let takes = false;
  let transitions: number | undefined;
  /** Times of the last renewal that was answered and of all that were sent since, as this process wrote them. */
  let renewals: readonly (string | undefined)[] = [];
  const line = createLine({
    carrier: {
      read: async () => markOf(await leases.find(ref, { timeoutMs: 10_000, traffic: 'control' })),
      write: async () => {
        takes = true;
        try {
          await renew();
        } finally {
          takes = false;
        }
      },
    },
    relist: async () => {
      await Promise.all([...relists].map((relist) => relist()));
    },
    log,
  });

  /** Time of the last renewal of a lease that the election has read and not written since. */
  let found: string | undefined;

  /** Writes a lease with the mark that follows the one it carries. */
  async function write(lease: Lease, send: (lease: Lease) => Promise<Lease>): Promise<Lease> {
    // Somebody else may have led, or the lease is new: a term begins.
    if (lease.spec?.leaseTransitions !== transitions) {
      line.forget();
      renewals = [];
    }
    // Nobody but the leader renews: a lease that was read again and is none of those it wrote came out of a backup.
    else if (found !== undefined && !renewals.includes(found)) line.wentBack(markOf(lease));
    found = undefined;
    const mark = line.next(markOf(lease), takes);
    const { metadata } = lease;
    const time = lease.spec?.renewTime;
    renewals = [...renewals, time];
    const marked = { ...metadata.annotations, [annotations.mark]: renderMark(mark) };
    const answer = await send({ ...lease, metadata: { ...metadata, annotations: marked } }).catch((error: unknown) => {
      line.failed();
      throw error;
    });
    transitions = lease.spec?.leaseTransitions;
    renewals = [time];
    line.wrote(mark);
    return answer;
  }

  function marking(resource: ResourceClient<Lease>): ResourceClient<Lease> {
    return {
      ...resource,
      find: async (which, options) => {
        const lease = await resource.find(which, options);
        found = lease?.spec?.renewTime;
        return lease;
      },
      create: (lease, options) => {
        transitions = undefined;
        return write(lease, (marked) => resource.create(marked, options));
      },
      replace: (lease, options) => write(lease, (marked) => resource.replace(marked, options)),
    };
  }

  return {
    ...line,
    client: {
      ...client,
      // Only the election asks, and only for leases.
      resource: (type) => {
        const resource = client.resource(type);
        const isLease = type.group === Leases.group && type.plural === Leases.plural;
        return isLease ? (marking(resource) as unknown as typeof resource) : resource;
      },
    },
    onSetBack: (relist) => {
      relists.add(relist);
      return () => void relists.delete(relist);
    },
  };
}

function markOf(lease: Lease | undefined) {
  return parseMark(lease?.metadata.annotations?.[annotations.mark]);
}
