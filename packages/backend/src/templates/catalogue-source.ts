import { onAbort, type Source } from '@klutch/kube';
import type { Catalogue } from './catalogue.ts';

/** Feeds a controller from the catalogue: whenever an offer may have changed, the keys it concerns. */
export function catalogueSource(
  catalogue: Pick<Catalogue, 'onChange' | 'synced'>,
  keysOf: (name: string) => readonly string[],
): Source {
  return {
    start: async (enqueue, signal) => {
      const stop = catalogue.onChange((names) => {
        for (const name of names) for (const key of keysOf(name)) enqueue(key);
      });
      onAbort(signal, stop);
      await catalogue.synced;
    },
  };
}
