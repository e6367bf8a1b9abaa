import { type Link, noMetrics } from '../parts.ts';
import { silentLogger } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { BoundApi } from './bound-api.ts';
import { defaultMetadataRules } from './metadata-rules.ts';
import { runInstances } from './run-instances.ts';

const type = { group: 'example.org', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const api: BoundApi = {
  binding: { name: 'widgets.example.org', uid: 'b1' },
  name: 'widgets.example.org',
  appType: type,
  controlPlaneType: type,
  isolation: 'ServiceNamespace',
  informerScope: 'Namespaced',
  statusSubresource: true,
  statusConditions: true,
  orphans: 'Hold',
};

/** Two clusters in which nothing exists. */
const cluster = {
  client: { resource: () => ({}) },
  informers: {
    acquire: () => ({
      informer: { synced: Promise.resolve(), hasSynced: true, subscribe: () => () => {}, cache: new Map() },
      release: () => {},
    }),
  },
} as unknown as Link['app'];

function start(subscribe: NamespaceMap['subscribe']) {
  const stop = new AbortController();
  const link = { name: 'x', app: cluster, controlPlane: cluster, clock: createManualClock(), log: silentLogger };
  const instances = runInstances({
    link: { ...link, tenant: { clusterNamespace: 'x', uid: 'x' }, metrics: noMetrics } as unknown as Link,
    api,
    namespaces: { subscribe } as NamespaceMap,
    board: { report: () => {}, withdraw: () => {}, reportProvider: () => {} },
    metadata: defaultMetadataRules,
    signal: stop.signal,
  });
  return { instances, stop };
}

describe('the synchronisation of an API', () => {
  it('tells that it failed, so that it can be started again', async () => {
    const { instances } = start(() => {
      throw new Error('a defect');
    });
    await expect(instances.stopped).rejects.toThrow('a defect');
  });

  it('goes on when its watches are set up anew, and ends when it is told to', async () => {
    const { instances, stop } = start(() => () => {});
    await instances.ready;
    let hasStopped = false;
    void instances.stopped.then(() => {
      hasStopped = true;
    });
    instances.update({ ...api, statusSubresource: false });
    await new Promise(setImmediate);
    expect(hasStopped).toBe(false);
    stop.abort();
    await instances.stopped;
  });
});
