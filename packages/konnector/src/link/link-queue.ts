import { createWorkQueue, type WorkQueue, type WorkQueueOptions } from '@klutch/kube';
import type { Link } from './link.ts';

/**
 * A work queue for controllers that work across a link: when a cluster of the link answers again after an outage, all
 * keys that failed are tried at once instead of after their back-off. Pass it as `queue` to `runController`.
 */
export function createLinkQueue<K extends string = string>(
  link: Pick<Link, 'clock' | 'metrics' | 'onRecovered'>,
  options: Omit<WorkQueueOptions<K>, 'clock' | 'metrics'>,
): WorkQueue<K> {
  const queue = createWorkQueue<K>({
    backoff: { baseMs: 50, capMs: 60_000 },
    ...options,
    clock: link.clock,
    metrics: link.metrics.controller,
  });
  const failing = new Set<K>();
  const unsubscribe = link.onRecovered?.(() => {
    for (const key of failing) queue.add(key);
  });
  return {
    ...queue,
    retry: (key) => {
      failing.add(key);
      queue.retry(key);
    },
    forget: (key) => {
      failing.delete(key);
      queue.forget(key);
    },
    shutdown: (how) => {
      unsubscribe?.();
      return queue.shutdown(how);
    },
  };
}
