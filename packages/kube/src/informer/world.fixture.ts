import { expect, afterEach } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { connect } from '../resources/client.ts';
import type { KubeClient } from '../resources/types.ts';
import { type ModelApi, type ModelOptions, ModelThings, startModelApi } from '../testing/index.ts';
import type { Interceptor } from '../transport/types.ts';
import type { Change } from './change.ts';
import { type Informer, type InformerOptions, startInformer } from './informer.ts';

export type Tuning = Partial<InformerOptions<UnknownObject>> & { readonly faults?: Interceptor };

/** A model of an API server and an informer that follows it. */
export interface World {
  readonly model: ModelApi;
  readonly informer: Informer<UnknownObject>;
  /** What a subscriber that was there from the start has been told. */
  readonly changes: Change<UnknownObject>[];
  readonly stop: () => Promise<void>;
}

/** Starts worlds, each with a model that `before` can fill; all that are left at the end of a test are stopped. */
export function informerWorlds() {
  const worlds = new Set<World>();

  afterEach(async () => {
    for (const world of worlds) await world.stop();
  });

  return async (tuning: Tuning = {}, options: ModelOptions = {}, before?: (model: ModelApi) => void) => {
    const model = await startModelApi(options);
    before?.(model);
    const client: KubeClient = connect(
      { server: model.url, source: 'model', auth: { kind: 'none' } },
      { userAgent: 'test', retry: { attempts: 0 }, interceptors: tuning.faults ? [tuning.faults] : [] },
    );
    const stop = new AbortController();
    const informer = startInformer(
      { client: client.resource(ModelThings), backoff: { baseMs: 1, capMs: 5 }, ...tuning },
      stop.signal,
    );
    const changes: Change<UnknownObject>[] = [];
    informer.subscribe((change) => changes.push(change));
    const world: World = {
      model,
      informer,
      changes,
      stop: async () => {
        worlds.delete(world);
        stop.abort();
        await informer.stopped;
        await client.close();
        await model.close();
      },
    };
    worlds.add(world);
    return world;
  };
}

/** Every object by name, as `uid@version`. */
export const versions = (objects: Iterable<UnknownObject>) =>
  new Map(
    [...objects].map((object) => [object.metadata.name, `${object.metadata.uid}@${object.metadata.resourceVersion}`]),
  );

/** True when the cache equals the server; fails with the difference otherwise. */
export function expectEqual({ model, informer }: World): boolean {
  expect(versions(informer.cache.values())).toEqual(versions(model.state().values()));
  return true;
}
