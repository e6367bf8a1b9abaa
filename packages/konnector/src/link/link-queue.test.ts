import { systemClock } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { noMetrics } from '../process/metrics.ts';
import { createLinkQueue } from './link-queue.ts';
import { createSignals } from './signals.ts';

describe('the queue of a link', () => {
  it('KON-54 tries everything that failed at once when the cluster is back', async () => {
    const clock = createManualClock();
    const recovered = createSignals();
    const queue = createLinkQueue({ clock, metrics: noMetrics, onRecovered: recovered.subscribe }, { name: 'q' });
    for (let failures = 0; failures < 10; failures++) {
      queue.add('bad');
      await queue.take();
      queue.retry('bad');
      queue.done('bad');
    }
    queue.add('good');
    await queue.take();
    queue.forget('good');
    queue.done('good');
    expect(queue.state()).toMatchObject({ ready: 0, delayed: 1 });

    recovered.tell();

    expect(await queue.take()).toBe('bad');
    expect(queue.state()).toMatchObject({ ready: 0, delayed: 0 });
  });

  it('never waits longer than a minute', async () => {
    const clock = createManualClock();
    const queue = createLinkQueue({ clock, metrics: noMetrics }, { name: 'q' });
    queue.add('bad');
    await queue.take();
    for (let failures = 0; failures < 50; failures++) queue.retry('bad');
    queue.done('bad');

    await clock.advance(60_000);

    expect(queue.state().ready).toBe(1);
  });

  it('hears nothing any more when it is shut down', async () => {
    const recovered = createSignals();
    const queue = createLinkQueue(
      { clock: systemClock, metrics: noMetrics, onRecovered: recovered.subscribe },
      { name: 'q' },
    );
    await queue.shutdown();
    recovered.tell();

    expect(await queue.take()).toBeUndefined();
  });
});
