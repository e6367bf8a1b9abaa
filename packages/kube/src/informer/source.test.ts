import { afterEach, describe, expect, it } from 'vitest';
import { runController } from '../controller/index.ts';
import type { UnknownObject } from '../objects/meta.ts';
import { connect } from '../resources/client.ts';
import { eventually, ModelThings, startModelApi } from '../testing/index.ts';
import { startInformer } from './informer.ts';
import { informerSource } from './source.ts';

let stop: (() => Promise<void>) | undefined;

afterEach(() => stop?.());

async function start(keysOf?: (object: UnknownObject) => readonly string[]) {
  const model = await startModelApi();
  model.put('a', { team: 'red' });
  const client = connect({ server: model.url, source: 'model', auth: { kind: 'none' } }, { userAgent: 'test' });
  const abort = new AbortController();
  const informer = startInformer({ client: client.resource(ModelThings) }, abort.signal);
  const seen: string[] = [];
  const controller = runController({
    name: 'test',
    sources: [informerSource(informer, keysOf)],
    reconcile: async (key) => void seen.push(key),
    signal: abort.signal,
  });
  stop = async () => {
    abort.abort();
    await controller.stopped;
    await informer.stopped;
    await client.close();
    await model.close();
  };
  await controller.ready;
  return { model, seen };
}

describe('informerSource', () => {
  it('asks for a look at what is there, what changes and what goes', async () => {
    const { model, seen } = await start();
    await eventually(() => seen.length === 1);
    model.put('b', {});
    await eventually(() => seen.length === 2);
    model.delete('b');
    await eventually(() => seen.length === 3);
    expect(seen).toEqual(['default/a', 'default/b', 'default/b']);
  });

  it('asks for both when an object moves from one key to another', async () => {
    const { model, seen } = await start((object) => [(object['spec'] as { team: string }).team]);
    await eventually(() => seen.length === 1);
    model.put('a', { team: 'blue' });
    await eventually(() => seen.length === 3);
    expect(seen.slice(1).sort()).toEqual(['blue', 'red']);
  });
});
