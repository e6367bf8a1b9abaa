import type { Source } from '../controller/source.ts';
import type { KubeObject } from '../objects/meta.ts';
import { onAbort } from '../scope/on-abort.ts';
import type { Informer } from './informer.ts';

/**
 * Feeds a controller from an informer: every change enqueues the keys it concerns, by default that of the object itself.
 * For an update, keys of the state before are enqueued too, so that whoever an object leaves hears of it.
 */
export function informerSource<T extends KubeObject>(
  informer: Informer<T>,
  keysOf?: (object: T) => readonly string[],
): Source {
  return {
    start: async (enqueue, signal) => {
      const unsubscribe = informer.subscribe((change) => {
        const keys = new Set(keysOf ? keysOf(change.object) : [change.key]);
        if (keysOf && change.type === 'updated') for (const key of keysOf(change.old)) keys.add(key);
        for (const key of keys) enqueue(key);
      });
      onAbort(signal, unsubscribe);
      await informer.synced;
    },
  };
}
