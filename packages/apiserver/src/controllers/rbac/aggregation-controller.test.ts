import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../objects/api-object.ts';
import type { RunningController } from '../context.ts';
import { testWorld, type TestWorld } from '../testing/test-world.ts';
import { startAggregationController } from './aggregation-controller.ts';

let cluster: TestWorld;
let stop: AbortController;
let controller: RunningController;

const start = () => {
  stop = new AbortController();
  controller = startAggregationController(cluster.context(stop.signal));
};

const halt = async () => {
  stop.abort();
  await controller.loop.stop();
};

const settle = () => controller.loop.idle();
const may = (verb: string) => ({ verbs: [verb], apiGroups: ['ex.io'], resources: ['things'] });
const collecting = (label: string) => ({
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
});
const role = (name: string, labels: Record<string, string>, fields: object) =>
  cluster.create('clusterroles', { name, labels }, fields);
const rules = (name: string) => cluster.read('clusterroles', name)?.['rules'];

beforeEach(async () => {
  cluster = await testWorld();
  start();
});

afterEach(halt);

describe('a cluster role that collects', () => {
  it('has the rules of those it collects, and follows them', async () => {
    await role('all', {}, collecting('x'));
    await role('b', { x: 'true' }, { rules: [may('list')] });
    await role('a', { x: 'true' }, { rules: [may('get')] });
    await settle();
    expect(rules('all')).toEqual([may('get'), may('list')]);
    await cluster.patch('clusterroles', 'a', { rules: [may('watch')] as unknown as Json });
    await cluster.remove('clusterroles', 'b');
    await settle();
    expect(rules('all')).toEqual([may('watch')]);
    expect(cluster.read('clusterroles', 'all')?.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'clusterrole-aggregation-controller', operation: 'Apply' }),
    );
  });

  it('collects what collecting ones have collected', async () => {
    await role('outer', {}, collecting('y'));
    await role('inner', { y: 'true' }, collecting('x'));
    await role('a', { x: 'true' }, { rules: [may('get')] });
    await settle();
    expect(rules('outer')).toEqual([may('get')]);
  });

  it('has no rules of its own left when it finds nothing more', async () => {
    await role('all', {}, collecting('x'));
    await role('a', { x: 'true' }, { rules: [may('get')] });
    await settle();
    await cluster.remove('clusterroles', 'a');
    await settle();
    expect(rules('all') ?? []).toEqual([]);
  });

  it('is written to only when something changes, and keeps rules of others when it finds none', async () => {
    await role('all', {}, collecting('x'));
    await role('nothing', {}, { ...collecting('none'), rules: [may('get')] });
    await role('a', { x: 'true' }, { rules: [may('get')] });
    await settle();
    const { revision } = cluster.store;
    await halt();
    start();
    await settle();
    await role('stranger', {}, { rules: [may('get')] });
    await settle();
    expect(cluster.store.revision).toBe(revision + 1);
    expect(rules('nothing')).toEqual([may('get')]);
  });
});
