import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ControllerMetrics } from '../controller/metrics.ts';
import type { EventMetrics } from '../events/metrics.ts';
import type { LeaseMetrics } from '../lease/metrics.ts';
import type { QueueMetrics, QueueState } from '../queue/metrics.ts';

/** Everything this runtime reports: the seam between its parts and whatever shows metrics. */
export interface Metrics extends QueueMetrics, ControllerMetrics, LeaseMetrics, EventMetrics {}

/** Metrics in a prom-client registry, named `klutch_kube_<what>_<unit>`. To be created once per registry. */
export function createMetrics(registry: Registry): Metrics {
  return {
    ...queueMetrics(registry),
    ...controllerMetrics(registry),
    ...leaseMetrics(registry),
    ...eventMetrics(registry),
  };
}

function queueMetrics(registry: Registry): QueueMetrics {
  const queues = new Set<{ readonly queue: string; readonly state: () => QueueState }>();
  const labelNames = ['queue'] as const;
  const registers = [registry];
  const gauges: [name: string, help: string, value: (state: QueueState) => number][] = [
    ['klutch_kube_queue_depth_keys', 'Keys ready to be worked on.', (state) => state.ready],
    ['klutch_kube_queue_delayed_keys', 'Keys waiting for their time or back-off.', (state) => state.delayed],
    ['klutch_kube_queue_processing_keys', 'Keys being worked on.', (state) => state.processing],
    [
      'klutch_kube_queue_unfinished_seconds',
      'Time spent so far on keys not yet done; grows without end when a worker is stuck.',
      (state) => state.unfinishedSeconds,
    ],
    [
      'klutch_kube_queue_longest_seconds',
      'Time spent so far on the key being worked on for longest.',
      (state) => state.longestSeconds,
    ],
  ];
  for (const [name, help, value] of gauges) {
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      collect() {
        this.reset();
        for (const { queue, state } of queues) this.inc({ queue }, value(state()));
      },
    });
    registry.registerMetric(gauge);
  }
  const adds = new Counter({
    name: 'klutch_kube_queue_adds_total',
    help: 'Keys added.',
    labelNames,
    registers,
  });
  const retries = new Counter({
    name: 'klutch_kube_queue_retries_total',
    help: 'Keys added again after a failure.',
    labelNames,
    registers,
  });
  const waits = new Histogram({
    name: 'klutch_kube_queue_wait_seconds',
    help: 'Time from a key being ready to its being taken.',
    labelNames,
    buckets,
    registers,
  });
  const works = new Histogram({
    name: 'klutch_kube_queue_work_seconds',
    help: 'Time from a key being taken to its being done.',
    labelNames,
    buckets,
    registers,
  });
  return {
    queueOpened: (queue, state) => {
      const entry = { queue, state };
      queues.add(entry);
      return () => void queues.delete(entry);
    },
    queueAdded: (queue) => adds.inc({ queue }),
    queueRetried: (queue) => retries.inc({ queue }),
    queueWaited: (queue, seconds) => waits.observe({ queue }, seconds),
    queueWorked: (queue, seconds) => works.observe({ queue }, seconds),
  };
}

function controllerMetrics(registry: Registry): ControllerMetrics {
  const active = new Gauge({
    name: 'klutch_kube_reconcile_active_calls',
    help: 'Reconciles under way, those left behind included.',
    labelNames: ['controller'],
    registers: [registry],
  });
  const ended = new Histogram({
    name: 'klutch_kube_reconcile_seconds',
    help: 'Reconciles by how they ended, and the time they took.',
    labelNames: ['controller', 'result'],
    buckets,
    registers: [registry],
  });
  return {
    reconcileStarted: (controller) => active.inc({ controller }),
    reconcileEnded: (controller, result, seconds) => {
      active.dec({ controller });
      ended.observe({ controller, result }, seconds);
    },
  };
}

function leaseMetrics(registry: Registry): LeaseMetrics {
  const active = new Gauge({
    name: 'klutch_kube_leader_active_terms',
    help: '1 while this process leads.',
    registers: [registry],
  });
  const lost = new Counter({
    name: 'klutch_kube_leader_lost_terms_total',
    help: 'Times this process lost leadership without being stopped.',
    registers: [registry],
  });
  const renewals = new Histogram({
    name: 'klutch_kube_lease_renewal_seconds',
    help: 'Requests to renew a held lease, and the time they took.',
    labelNames: ['result'],
    buckets,
    registers: [registry],
  });
  return {
    leading: (isLeading) => (isLeading ? active.inc() : active.dec()),
    leadershipLost: () => lost.inc(),
    leaseRenewed: (isSuccess, seconds) => renewals.observe({ result: isSuccess ? 'success' : 'error' }, seconds),
  };
}

function eventMetrics(registry: Registry): EventMetrics {
  const events = new Counter({
    name: 'klutch_kube_events_total',
    help: 'Events reported about objects, by what became of them.',
    labelNames: ['result'],
    registers: [registry],
  });
  return { eventRecorded: (result) => events.inc({ result }) };
}

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
