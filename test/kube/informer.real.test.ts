import { setTimeout as sleep } from 'node:timers/promises';
import { startPlane } from '@klutch/kit';
import { createNamespace, describeReal, sharedPlane } from '@klutch/kit/vitest';
import {
  type Change,
  type ConfigMap,
  ConfigMaps,
  connect,
  type KubeClient,
  parseKubeconfig,
  startInformer,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { startCuttingProxy } from './cutting-proxy.ts';

const config = (kubeconfig: string) => parseKubeconfig(kubeconfig, { source: 'the test', trust: 'local' });

const versions = (objects: Iterable<ConfigMap>) =>
  new Map([...objects].map(({ metadata }) => [metadata.name, `${metadata.uid}@${metadata.resourceVersion}`]));

/** Creates, changes or deletes one of a few objects; returns the resource version of the write. */
async function writeSomething(client: KubeClient, namespace: string, step: number): Promise<string> {
  const maps = client.resource(ConfigMaps);
  const ref = { namespace, name: `map-${step % 7}` };
  const present = await maps.find(ref);
  if (!present) {
    const created = await maps.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: ref,
      data: { step: String(step) },
    });
    return created.metadata.resourceVersion ?? '';
  }
  if (step % 3 !== 0) {
    const changed = await maps.patch(ref, { type: 'merge', patch: { data: { step: String(step) } } });
    return changed.metadata.resourceVersion ?? '';
  }
  await maps.delete(ref);
  return 'deletion';
}

describeReal('informer on a real API server', () => {
  it('misses nothing and repeats nothing while its connection is cut 200 times', { timeout: 180_000 }, async () => {
    const plane = await sharedPlane();
    const namespace = await createNamespace(plane, 'informer');
    const direct = connect(config(plane.admin.kubeconfig), { userAgent: 'writer' });
    const proxy = await startCuttingProxy(Number(new URL(plane.url).port));
    const throughProxy = connect(
      { ...config(plane.admin.kubeconfig), server: `https://127.0.0.1:${proxy.port}` },
      { userAgent: 'reader' },
    );
    const stop = new AbortController();
    const informer = startInformer(
      {
        client: throughProxy.resource(ConfigMaps),
        namespace,
        pageSize: 3,
        backoff: { baseMs: 1, capMs: 20 },
      },
      stop.signal,
    );
    const changes: Change<ConfigMap>[] = [];
    informer.subscribe((change) => changes.push(change));
    await informer.synced;
    const written: string[] = [];
    let cuts = 0;
    for (let step = 0; cuts < 200; step++) {
      written.push(await writeSomething(direct, namespace, step));
      if (step % 2 === 0 && proxy.cut() > 0) cuts += 1;
      await sleep(Math.random() * 15);
    }
    await eventually(async () => {
      const { items } = await direct.resource(ConfigMaps).list({ namespace });
      expect(versions(informer.cache.values())).toEqual(versions(items));
      return true;
    });
    const told = changes.flatMap((change) =>
      change.type === 'deleted' || change.object.metadata.name === 'kube-root-ca.crt'
        ? []
        : [change.object.metadata.resourceVersion],
    );
    expect(told).toEqual(written.filter((version) => version !== 'deletion'));
    expect(changes.filter(({ type }) => type === 'deleted')).toHaveLength(
      written.filter((v) => v === 'deletion').length,
    );
    stop.abort();
    await informer.stopped;
    await Promise.all([direct.close(), throughProxy.close(), proxy.close()]);
  });

  it.each(['pages', 'stream'] as const)('gets the initial state by %s', async (initialState) => {
    const plane = await sharedPlane();
    const namespace = await createNamespace(plane, 'initial');
    const client = connect(config(plane.admin.kubeconfig), { userAgent: 'test' });
    for (let step = 0; step < 7; step++) await writeSomething(client, namespace, step);
    const stop = new AbortController();
    const informer = startInformer(
      { client: client.resource(ConfigMaps), namespace, initialState, pageSize: 2 },
      stop.signal,
    );
    await informer.synced;
    const { items } = await client.resource(ConfigMaps).list({ namespace });
    expect(versions(informer.cache.values())).toEqual(versions(items));
    stop.abort();
    await informer.stopped;
    await client.close();
  });

  it('lists again when its history is gone, and reports a deletion it did not see once', {
    timeout: 120_000,
  }, async () => {
    const plane = await startPlane({ controllerManager: false });
    const client = connect(config(plane.admin.kubeconfig), { userAgent: 'test' });
    const proxy = await startCuttingProxy(Number(new URL(plane.url).port));
    const reader = connect(
      { ...config(plane.admin.kubeconfig), server: `https://127.0.0.1:${proxy.port}` },
      { userAgent: 'reader' },
    );
    const stop = new AbortController();
    try {
      const namespace = await createNamespace(plane, 'history');
      for (let step = 1; step < 5; step++) await writeSomething(client, namespace, step);
      const informer = startInformer(
        { client: reader.resource(ConfigMaps), namespace, backoff: { baseMs: 5, capMs: 50 } },
        stop.signal,
      );
      const changes: Change<ConfigMap>[] = [];
      informer.subscribe((change) => changes.push(change));
      await informer.synced;
      proxy.partition();
      const { metadata } = await client.resource(ConfigMaps).list({ namespace });
      await client.resource(ConfigMaps).delete({ namespace, name: 'map-1' });
      // A restarted API server knows no history before its start.
      await plane.restartApiServer();
      const tooOld = client.resource(ConfigMaps).watch({ namespace, resourceVersion: metadata.resourceVersion });
      await expect(tooOld[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'KUBE_GONE', status: 410 });
      expect(informer.problem).toMatchObject({ code: 'KUBE_UNREACHABLE' });
      proxy.heal();
      await eventually(() => informer.cache.size === 3);
      expect(changes.slice(4)).toMatchObject([{ type: 'deleted', key: `${namespace}/map-1`, lastKnown: true }]);
      await eventually(() => informer.problem === undefined);
    } finally {
      stop.abort();
      await Promise.all([client.close(), reader.close(), proxy.close()]);
      await plane.stop();
    }
  });
});
