import type { Logger } from '../log/logger.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { type Fate, createLeaseServer } from './lease.fixture.ts';
import { type LeaderElectionOptions, runLeaderElection } from './run-leader-election.ts';
import type { LeaderTerm } from './term.ts';

/** The lease all candidates want. */
export const ref = { name: 'klutch-bind', namespace: 'kube-system' };

/** A server and candidates for its lease, on one manual clock. Candidates do not retry at random times. */
export function setup() {
  const clock = createManualClock();
  const server = createLeaseServer(clock);
  return { clock, server, lease: () => server.leases.get('kube-system/klutch-bind'), candidate };

  /** Starts a candidate whose work ends when told; `fate.next` is what its requests meet. */
  function candidate(identity: string, options: Partial<LeaderElectionOptions> = {}, firstFate?: Fate) {
    const stop = new AbortController();
    const terms: { signal: AbortSignal; term: LeaderTerm; end: () => void }[] = [];
    const lines: string[] = [];
    const reports: string[] = [];
    const fate = { next: firstFate };
    const write = (_fields: object, message: string) => void lines.push(message);
    const log: Logger = { debug: write, info: write, warn: write, error: write };
    const election = runLeaderElection({
      client: server.client(() => fate.next),
      lease: ref,
      identity,
      signal: stop.signal,
      clock,
      random: () => 0,
      log,
      metrics: {
        leading: (isLeading) => void reports.push(isLeading ? 'leading' : 'not leading'),
        leadershipLost: () => void reports.push('lost'),
        leaseRenewed: (isSuccess) => void reports.push(isSuccess ? 'renewed' : 'not renewed'),
      },
      lead: (signal, term) =>
        new Promise((resolve) => {
          terms.push({ signal, term, end: resolve });
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
      ...options,
    });
    return { election, stop, terms, lines, reports, fate };
  }
}
