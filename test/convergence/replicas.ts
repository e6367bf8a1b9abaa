import type { Fault } from '@klutch/kube/testing';
import type { ResourceType } from '@klutch/kube';
import { unique } from '../konnector/clusters.ts';
import { bundleKonnector, type KonnectorChild } from '../konnector/konnector-child.ts';
import type { SentWrite } from '../konnector/recorded-writes.ts';
import { konnectorOptions, localConfig } from '../konnector/run-konnector.ts';
import type { Dice } from './dice.ts';
import { secretClaim, type World } from './world.ts';

/** Two konnectors of one lease, each a process of its own that can be killed; a further one waits to take the place. */
export interface Replicas {
  /** Everything that any of them has written, but for their lease. */
  writes(): readonly SentWrite[];
  /** Kills the one that holds the lease, if one does, with SIGKILL, whatever it is doing. */
  killLeader(): Promise<void>;
  /** From now on their clocks are wrong by up to so many seconds, each by its own measure. */
  setClocks(errorSeconds: number): void;
  /** Lets that share of their requests fail, but for those to the lease; undefined ends it. */
  setFault(fault: Fault | undefined, probability?: number): void;
  stop(): Promise<void>;
}

export async function startReplicas({ app, side, api }: World, dice: Dice): Promise<Replicas> {
  const program = await bundleKonnector();
  const local = await localConfig(side, { apis: [api], claims: [secretClaim] });
  const options = konnectorOptions(side, local);
  const writes: SentWrite[] = [];
  const living = new Map<string, KonnectorChild>();
  const fresh = () => program.fork({ sent: (write) => void writes.push(write) });
  let clockError = 0;
  let fault: readonly [Fault | undefined, number] = [undefined, 0];
  let spare = fresh();

  async function add(): Promise<void> {
    const child = spare;
    spare = fresh();
    const identity = unique('replica');
    living.set(identity, child);
    child.setClock(dice.between(-clockError, clockError));
    child.setFault(...fault);
    await child.start({ ...options, lease: { ...options.lease, identity, timings } });
  }

  await add();
  await add();
  return {
    writes: () => writes,
    killLeader: async () => {
      const found = await leader();
      if (!found) return;
      const [identity, child] = found;
      living.delete(identity);
      await child.kill();
      await add();
    },
    setClocks: (errorSeconds) => {
      clockError = errorSeconds;
      for (const child of living.values()) child.setClock(dice.between(-clockError, clockError));
    },
    setFault: (...next) => {
      fault = [next[0], next[1] ?? 1];
      for (const child of living.values()) child.setFault(...fault);
    },
    stop: async () => {
      await Promise.all([...living.values(), spare].map((child) => child.stop()));
      await program.remove();
    },
  };

  /** Nobody is known to lead while the app cluster is away, or between two terms. */
  async function leader(): Promise<readonly [string, KonnectorChild] | undefined> {
    const ref = { namespace: options.lease.namespace, name: options.lease.name };
    const lease = await app.admin
      .resource(Leases)
      .find(ref)
      .catch(() => undefined);
    const { holderIdentity } = (lease?.['spec'] ?? {}) as { readonly holderIdentity?: string };
    return [...living].find(([identity]) => identity === holderIdentity);
  }
}

/** Terms are short, so that successors take over soon, but not lost because a machine is busy. */
const timings = { leaseDurationMs: 5_000, renewDeadlineMs: 4_000, retryPeriodMs: 200 };

const Leases: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};
