import { parseListOptions } from '../../list/index.ts';
import { openStore, type OpenStoreOptions, type Store } from '../../storage/index.ts';
import { type Shape, storedShape } from '../shape.ts';
import { createWatchHub, type WatchHub } from '../watch-hub.ts';
import { RecordingSink } from './recording-sink.ts';

const BUCKET = '/configmaps';
const type = { namespaced: true, builtIn: true, selectableFields: {} };

/** Config maps as they are stored. */
export const whole: Shape = storedShape('v1', 'ConfigMap');

/** How a test's client watches: which namespace, or `all`; in which shape; with room for how many pieces at first. */
export interface ClientOptions {
  readonly namespace?: string;
  readonly shape?: Shape;
  readonly room?: number;
}

/** A store of config maps, a hub, and short ways to use them. */
export class World {
  readonly store: Store;
  readonly hub: WatchHub;

  private constructor(store: Store) {
    this.store = store;
    this.hub = createWatchHub(store, { random: () => 0.5 });
  }

  static async create(options?: OpenStoreOptions): Promise<World> {
    return new World(await openStore(options));
  }

  async put(name: string, labels: Record<string, string> = {}, namespace = 'n'): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels } };
    await this.store.commit({ bucket: BUCKET, key: `${namespace}/${name}`, object });
  }

  async remove(name: string): Promise<void> {
    await this.store.commit({ bucket: BUCKET, key: `n/${name}`, object: undefined });
  }

  watch(query = '', options: ClientOptions = {}): { readonly sink: RecordingSink; readonly watch: { end(): void } } {
    const { namespace = 'n', shape = whole, room = -1 } = options;
    const sink = new RecordingSink();
    sink.room = room;
    const listed = { bucket: BUCKET, namespaced: true, namespace: namespace === 'all' ? undefined : namespace };
    const listOptions = parseListOptions(new URLSearchParams(`watch=1&${query}`), type);
    return { sink, watch: this.hub.open({ listed, options: listOptions, shape }, sink) };
  }
}

/** Lets what comes soon, but not at once, come. */
export async function soon(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
}
