import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { runController } from '../controller/run-controller.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createWorkQueue } from '../queue/work-queue.ts';
import { createMetrics } from './metrics.ts';

function setup() {
  const registry = new Registry();
  return { registry, metrics: createMetrics(registry), clock: createManualClock() };
}

async function valueOf(
  registry: Registry,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const all = await registry.getMetricsAsJSON();
  const values = all.flatMap((metric) => metric.values) as { metricName?: string; labels: object; value: number }[];
  const own = all.find((metric) => metric.name === name)?.values;
  const candidates = own ?? values.filter((value) => value.metricName === name);
  return candidates.find((value) => JSON.stringify(value.labels) === JSON.stringify(labels))?.value;
}

describe('metrics of a queue', () => {
  it('show its state at the time of asking', async () => {
    const { registry, metrics, clock } = setup();
    const queue = createWorkQueue({ name: 'claims', clock, metrics });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    queue.addAfter('d', 1_000_000);
    await clock.advance(2_000);
    await queue.take();
    await clock.advance(3_000);

    const labels = { queue: 'claims' };
    expect(await valueOf(registry, 'klutch_kube_queue_depth_keys', labels)).toBe(2);
    expect(await valueOf(registry, 'klutch_kube_queue_delayed_keys', labels)).toBe(1);
    expect(await valueOf(registry, 'klutch_kube_queue_processing_keys', labels)).toBe(1);
    expect(await valueOf(registry, 'klutch_kube_queue_unfinished_seconds', labels)).toBe(3);
    expect(await valueOf(registry, 'klutch_kube_queue_longest_seconds', labels)).toBe(3);
    expect(await valueOf(registry, 'klutch_kube_queue_adds_total', labels)).toBe(3);
    expect(await valueOf(registry, 'klutch_kube_queue_wait_seconds_sum', labels)).toBe(2);
  });

  it('count retries and time work', async () => {
    const { registry, metrics, clock } = setup();
    const queue = createWorkQueue({ name: 'claims', clock, metrics });
    queue.add('a');
    await queue.take();
    await clock.advance(4_000);
    queue.retry('a');
    queue.done('a');

    expect(await valueOf(registry, 'klutch_kube_queue_retries_total', { queue: 'claims' })).toBe(1);
    expect(await valueOf(registry, 'klutch_kube_queue_work_seconds_sum', { queue: 'claims' })).toBe(4);
  });

  it('add up over queues of the same name and end with them', async () => {
    const { registry, metrics, clock } = setup();
    const queues = ['one', 'two'].map(() => createWorkQueue({ name: 'claims', clock, metrics }));
    for (const queue of queues) queue.add('a');
    expect(await valueOf(registry, 'klutch_kube_queue_depth_keys', { queue: 'claims' })).toBe(2);

    await Promise.all(queues.map((queue) => queue.shutdown()));
    expect(await valueOf(registry, 'klutch_kube_queue_depth_keys', { queue: 'claims' })).toBeUndefined();
  });
});

describe('metrics of a controller', () => {
  it('count reconciles under way and how they ended', async () => {
    const { registry, metrics, clock } = setup();
    const stop = new AbortController();
    const controller = runController({
      name: 'claims',
      clock,
      metrics,
      workers: 3,
      signal: stop.signal,
      reconcile: (key) => {
        if (key === 'bad') throw new Error('no');
        return key === 'stuck' ? new Promise(() => {}) : undefined;
      },
    });
    for (const key of ['good', 'bad', 'stuck']) controller.enqueue(key);
    await clock.advance(0);

    const ended = (result: string) =>
      valueOf(registry, 'klutch_kube_reconcile_seconds_count', { controller: 'claims', result });
    expect(await ended('success')).toBe(1);
    expect(await ended('error')).toBe(1);
    expect(await valueOf(registry, 'klutch_kube_reconcile_active_calls', { controller: 'claims' })).toBe(1);
    stop.abort();
    await clock.advance(10_000);
    await controller.stopped;
  });
});

describe('metrics of leader election and events', () => {
  it('show whether this process leads and how often it lost', async () => {
    const { registry, metrics } = setup();
    metrics.leading(true);
    metrics.leaseRenewed(true, 0.5);
    metrics.leaseRenewed(false, 5);
    expect(await valueOf(registry, 'klutch_kube_leader_active_terms')).toBe(1);

    metrics.leading(false);
    metrics.leadershipLost();
    expect(await valueOf(registry, 'klutch_kube_leader_active_terms')).toBe(0);
    expect(await valueOf(registry, 'klutch_kube_leader_lost_terms_total')).toBe(1);
    expect(await valueOf(registry, 'klutch_kube_lease_renewal_seconds_sum', { result: 'error' })).toBe(5);
  });

  it('count events by what became of them', async () => {
    const { registry, metrics } = setup();
    metrics.eventRecorded('filtered');

    expect(await valueOf(registry, 'klutch_kube_events_total', { result: 'filtered' })).toBe(1);
  });
});

describe('names', () => {
  it('follow the rule of the house', async () => {
    const { registry } = setup();
    const names = (await registry.getMetricsAsJSON()).map((metric) => metric.name);

    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(name).toMatch(/^klutch_kube_[a-z_]+_(keys|seconds|total|calls|terms)$/);
  });
});
