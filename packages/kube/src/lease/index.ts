export { fenceWrites } from './fence-writes.ts';
export type { LeaseMetrics } from './metrics.ts';
export { replicaIdentity } from './replica-identity.ts';
export { type LeaderElection, type LeaderElectionOptions, runLeaderElection } from './run-leader-election.ts';
export type { LeaderTerm } from './term.ts';
export type { LeaseTimings } from './timings.ts';
