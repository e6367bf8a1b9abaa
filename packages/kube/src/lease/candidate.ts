import type { Lease } from '../objects/core.ts';
import type { ObjectRef } from '../objects/meta.ts';
import type { Clock } from '../clock/clock.ts';
import { type Observed, decide, holderOf, observe } from './decide.ts';
import type { LeaseAccess } from './lease-access.ts';
import { type Moment, momentOf } from './term.ts';

/** A lease just taken. */
export interface Held {
  readonly lease: Lease;
  /** When the request that took it was sent. */
  readonly sentAt: Moment;
}

/** Somebody who wants the lease and remembers what was seen of it. */
export interface Candidate {
  /** One try: undefined when another holds the lease; throws when a request fails. */
  tryToTake(signal: AbortSignal): Promise<Held | undefined>;
  /** Holder last seen. */
  leader(): string | undefined;
}

export interface CandidateOptions {
  readonly access: LeaseAccess;
  readonly ref: ObjectRef;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
}

/** A candidate that has seen nothing yet, and so waits a whole lease duration for any holder it finds. */
export function createCandidate({ access, ref, identity, leaseDurationMs, clock }: CandidateOptions): Candidate {
  let observed: Observed | undefined;
  return {
    leader: () => observed && holderOf(observed.lease),
    tryToTake: async (signal) => {
      const found = await access.read(signal);
      observed = observe(observed, found, clock.now());
      const now = clock.now();
      const decision = decide({ observed, ref, identity, leaseDurationMs, now, date: clock.date() });
      if (decision.do === 'wait') return undefined;
      const sentAt = momentOf(clock);
      // Not cancelled by a stop: whether the lease was taken must be known in order to release it.
      const written = await (decision.do === 'create' ? access.create(decision.lease) : access.replace(decision.lease));
      observed = observe(observed, written, clock.now());
      return { lease: written, sentAt };
    },
  };
}
