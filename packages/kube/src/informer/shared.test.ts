import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../resources/client.ts';
import { eventually, type ModelApi, ModelThings, startModelApi } from '../testing/index.ts';
import { createSharedInformers, type SharedInformers } from './shared.ts';

let stop: (() => Promise<void>) | undefined;

afterEach(() => stop?.());

async function start(): Promise<{ model: ModelApi; shared: SharedInformers; abort: AbortController }> {
  const model = await startModelApi();
  const client = connect({ server: model.url, source: 'model', auth: { kind: 'none' } }, { userAgent: 'test' });
  const abort = new AbortController();
  const shared = createSharedInformers(client, abort.signal, { backoff: { baseMs: 1 } });
  stop = async () => {
    abort.abort();
    await shared.stopped;
    await client.close();
    await model.close();
  };
  return { model, shared, abort };
}

describe('shared informers', () => {
  it('open one watch for the same selection, several for different ones', async () => {
    const { model, shared } = await start();
    const shares = [
      shared.acquire({ type: ModelThings }),
      shared.acquire({ type: ModelThings }),
      shared.acquire({ type: ModelThings, labelSelector: 'a=b' }),
    ];
    await Promise.all(shares.map(({ informer }) => informer.synced));
    await eventually(() => model.watches === 2);
    expect(shared.size).toBe(2);
    expect(shares[0]?.informer).toBe(shares[1]?.informer);
  });

  it('end a watch with its last share, not before', async () => {
    const { model, shared } = await start();
    const first = shared.acquire({ type: ModelThings });
    const second = shared.acquire({ type: ModelThings });
    await first.informer.synced;
    await eventually(() => model.watches === 1);
    first.release();
    first.release();
    model.put('a', {});
    await eventually(() => second.informer.cache.size === 1);
    second.release();
    await eventually(() => model.watches === 0);
    expect(shared.size).toBe(0);
  });

  it('fetch their state anew on demand, each once', async () => {
    const { model, shared } = await start();
    const shares = [shared.acquire({ type: ModelThings }), shared.acquire({ type: ModelThings, labelSelector: 'a=b' })];
    await Promise.all(shares.map(({ informer }) => informer.synced));
    const { lists } = model.requests;
    await shared.relist();
    expect(model.requests.lists).toBe(lists + 2);
  });

  it('start anew after the last share was released', async () => {
    const { model, shared } = await start();
    shared.acquire({ type: ModelThings }).release();
    model.put('a', {});
    const again = shared.acquire({ type: ModelThings });
    await again.informer.synced;
    expect(again.informer.cache.size).toBe(1);
  });

  it('serve the indexes of everyone who shares', async () => {
    const { model, shared } = await start();
    model.put('a', {});
    const first = shared.acquire({ type: ModelThings });
    await first.informer.synced;
    const second = shared.acquire({ type: ModelThings, indexes: { name: ({ metadata }) => [metadata.name ?? ''] } });
    expect(second.informer.cache.byIndex('name', 'a')).toHaveLength(1);
  });

  it('all end when the signal aborts', async () => {
    const { model, shared, abort } = await start();
    const share = shared.acquire({ type: ModelThings });
    await share.informer.synced;
    await eventually(() => model.watches === 1);
    abort.abort();
    await shared.stopped;
    await eventually(() => model.watches === 0);
  });

  it('are as many as needed under one signal, without a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const { shared } = await start();
    const shares = Array.from({ length: 20 }, (_, i) => shared.acquire({ type: ModelThings, labelSelector: `a=${i}` }));
    await Promise.all(shares.map(({ informer }) => informer.synced));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('do not start after the signal aborted', async () => {
    const { model, shared, abort } = await start();
    abort.abort();
    const share = shared.acquire({ type: ModelThings });
    await expect(share.informer.synced).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    await share.informer.stopped;
    share.release();
    expect(model.requests).toEqual({ lists: 0, watches: 0 });
  });

  it('can be released while they start', async () => {
    const { shared } = await start();
    const share = shared.acquire({ type: ModelThings });
    share.release();
    await expect(share.informer.synced).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    await share.informer.stopped;
    expect(shared.size).toBe(0);
  });
});
