import { createMetrics } from '@klutch/kube';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { KonnectorMetrics } from './metrics.ts';

/** Metrics in a prom-client registry, named `klutch_konnector_<what>_<unit>`. To be created once per registry. */
export function createKonnectorMetrics(registry: Registry): KonnectorMetrics {
  const registers = [registry];
  const runtime = createMetrics(registry);
  const writes = new Counter({
    name: 'klutch_konnector_writes_total',
    help: 'Writes sent, by cluster, part of the konnector and verb.',
    labelNames: ['side', 'part', 'verb'] as const,
    registers,
  });
  const carried = new Histogram({
    name: 'klutch_konnector_carry_seconds',
    help: 'Time from a change on one side to the write that carried it to the other.',
    labelNames: ['direction'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const links = new Gauge({
    name: 'klutch_konnector_link_up_state',
    help: '1 while the other cluster of a link answers, 0 while it does not.',
    labelNames: ['link'] as const,
    registers,
  });
  const held = new Gauge({
    name: 'klutch_konnector_held_deletions_objects',
    help: 'Copies that are kept although their originals are missing.',
    labelNames: ['link', 'api'] as const,
    registers,
  });
  /** APIs of which deletions were held, by link: a label can only be removed by all its values. */
  const heldApis = new Map<string, Set<string>>();
  return {
    controller: runtime,
    lease: runtime,
    wrote: (side, part, verb) => writes.inc({ side, part, verb }),
    carried: (direction, seconds) => carried.observe({ direction }, seconds),
    linkUp: (link, up) => links.set({ link }, up ? 1 : 0),
    linkGone: (link) => {
      links.remove({ link });
      for (const api of heldApis.get(link) ?? []) held.remove({ link, api });
      heldApis.delete(link);
    },
    heldDeletions: (link, api, count) => {
      const apis = heldApis.get(link) ?? new Set();
      if (count === undefined) {
        apis.delete(api);
        return held.remove({ link, api });
      }
      heldApis.set(link, apis.add(api));
      held.set({ link, api }, count);
    },
  };
}
