import { type KonnectorOptions, startKonnector } from '@klutch/konnector';
import { type Clock, type Interceptor, systemClock } from '@klutch/kube';
import { createFaults, type Fault } from '@klutch/kube/testing';
import { noteWrites, type ReplicaWrite } from '../konnector-faults/leader-writes.ts';
import type { SentWrite } from './recorded-writes.ts';

/** A process of its own with a konnector in it, which does what its parent says and ends with it. */
const stop = new AbortController();
const faults = createFaults();
let clockErrorMs = 0;
let writes = 0;
let isStarted = false;

/** What the parent says. */
export type Order =
  | {
      readonly type: 'start';
      readonly options: KonnectorOptions;
      /** Tells of every write, but for those to its lease. Default false: that takes time. */
      readonly tellsWrites?: boolean;
      /** Tells what became of every write, those to its lease included. Default false. */
      readonly tellsOutcomes?: boolean;
    }
  | { readonly type: 'usage' }
  /** From now on the wall clock is wrong by so many seconds. */
  | { readonly type: 'clock'; readonly errorSeconds: number }
  /** From now on that share of requests fails, but for those to the lease; undefined: none. */
  | { readonly type: 'fault'; readonly fault: Fault | undefined; readonly probability: number };

/** What a process has used since it started. */
export interface Usage {
  /** Bytes of memory that it occupies now. */
  readonly rss: number;
  /** Microseconds of processor time. */
  readonly cpu: { readonly user: number; readonly system: number };
  /** Writes to whichever cluster, but for its lease and its heartbeats. */
  readonly writes: number;
}

/** What the process says. */
export type Report =
  | { readonly type: 'started' }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'write'; readonly write: SentWrite }
  | { readonly type: 'outcome'; readonly write: ReplicaWrite };

process.on('message', (order: Order) => {
  switch (order.type) {
    case 'start':
      return void run(order);
    case 'usage':
      return say({ type: 'usage', usage: { rss: process.memoryUsage().rss, cpu: process.cpuUsage(), writes } });
    case 'clock':
      clockErrorMs = order.errorSeconds * 1_000;
      return;
    case 'fault':
      faults.clear();
      if (!order.fault) return;
      faults.add({ fault: order.fault, probability: order.probability, when: ({ path }) => !isLease(path) });
  }
});
process.on('disconnect', () => (isStarted ? stop.abort() : process.exit()));

async function run(order: Extract<Order, { type: 'start' }>): Promise<void> {
  const { options, tellsWrites = false, tellsOutcomes = false } = order;
  isStarted = true;
  const tellOutcome = noteWrites(options.lease.identity, (write) => say({ type: 'outcome', write }));
  const konnector = startKonnector(options, {
    signal: stop.signal,
    clock,
    interceptors: [count, ...(tellsWrites ? [tell] : []), ...(tellsOutcomes ? [tellOutcome] : []), faults.interceptor],
  });
  await konnector.ready;
  say({ type: 'started' });
  await konnector.stopped;
  process.exit();
}

const clock: Clock = { ...systemClock, date: () => new Date(systemClock.date().getTime() + clockErrorMs) };

const count: Interceptor = (next) => (request) => {
  // Signs of life are promised to control planes and others of our kind.
  const isSignOfLife = isLease(request.path) || request.path.includes('/clusterbindings');
  if (request.method !== 'GET' && !isSignOfLife) writes += 1;
  return next(request);
};

const tell: Interceptor = (next) => (request) => {
  const { method, path, body } = request;
  if (method !== 'GET' && !isLease(path)) say({ type: 'write', write: { method, path, body } });
  return next(request);
};

function isLease(path: string): boolean {
  return path.includes('/leases');
}

function say(report: Report): void {
  if (process.connected) process.send?.(report);
}
