import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createKonnectorMetrics } from './prometheus-metrics.ts';

describe('the metrics of a konnector', () => {
  it('show what was counted', async () => {
    const registry = new Registry();
    const metrics = createKonnectorMetrics(registry);
    metrics.wrote('app', 'instances', 'patch');
    metrics.carried('up', 0.02);
    metrics.linkUp('klutch-bind/x', true);
    metrics.linkUp('klutch-bind/y', false);
    metrics.heldDeletions('klutch-bind/x', 'widgets.example.org', 3);
    const text = await registry.metrics();

    expect(text).toContain('klutch_konnector_writes_total{side="app",part="instances",verb="patch"} 1');
    expect(text).toContain('klutch_konnector_carry_seconds_count{direction="up"} 1');
    expect(text).toContain('klutch_konnector_link_up_state{link="klutch-bind/x"} 1');
    expect(text).toContain('klutch_konnector_link_up_state{link="klutch-bind/y"} 0');
    expect(text).toContain('klutch_konnector_held_deletions_objects{link="klutch-bind/x",api="widgets.example.org"} 3');
  });

  it('forget a link that has ended, and no other', async () => {
    const registry = new Registry();
    const metrics = createKonnectorMetrics(registry);
    for (const link of ['klutch-bind/x', 'klutch-bind/y']) {
      metrics.linkUp(link, true);
      metrics.heldDeletions(link, 'widgets.example.org', 3);
    }

    metrics.linkGone('klutch-bind/x');
    metrics.linkGone('klutch-bind/never-seen');
    const text = await registry.metrics();

    expect(text).not.toContain('klutch-bind/x');
    expect(text).toContain('klutch_konnector_link_up_state{link="klutch-bind/y"} 1');
    expect(text).toContain('klutch_konnector_held_deletions_objects{link="klutch-bind/y",api="widgets.example.org"} 3');
  });

  it('forget an API that nobody looks after any more, and no other', async () => {
    const registry = new Registry();
    const metrics = createKonnectorMetrics(registry);
    for (const api of ['a.example.org', 'b.example.org']) metrics.heldDeletions('klutch-bind/x', api, 3);
    metrics.heldDeletions('klutch-bind/x', 'a.example.org', undefined);
    metrics.heldDeletions('klutch-bind/never-seen', 'a.example.org', undefined);

    const text = await registry.metrics();
    expect(text).not.toContain('a.example.org');
    expect(text).toContain('{link="klutch-bind/x",api="b.example.org"} 3');
    metrics.linkGone('klutch-bind/x');
    expect(await registry.metrics()).not.toContain('klutch-bind/x');
  });

  it('have names of one pattern', async () => {
    const registry = new Registry();
    createKonnectorMetrics(registry);
    const all = await registry.getMetricsAsJSON();

    for (const { name } of all) expect(name).toMatch(/^klutch_(konnector|kube)_[a-z_]+$/);
  });
});
