import type { ServedResource } from '../../registry/served-resource.ts';
import type { StoredEvent } from '../../storage/types.ts';
import { type ControllerContext, onStop } from '../context.ts';
import type { StoredTypes } from './stored-types.ts';

export interface TypeWatch {
  /** Which types are of interest. */
  readonly wanted: (type: ServedResource) => boolean;
  readonly onEvent: (event: StoredEvent) => void;
  /** A type has come, and events after the store's current revision will be heard. Not called for those there already. */
  readonly onAdded?: (type: ServedResource) => void;
  readonly onRemoved?: (bucket: string) => void;
}

/** Hears of every change to objects of the wanted types, whichever are served, until the context stops. */
export function watchTypes(context: ControllerContext, types: StoredTypes, watch: TypeWatch): void {
  const { world, typeChanges } = context;
  const ends = new Map<string, () => void>();

  const follow = (): ServedResource[] => {
    const wanted = types.all().filter((type) => watch.wanted(type));
    const buckets = new Set(wanted.map(({ bucket }) => bucket));
    for (const [bucket, end] of ends) {
      if (buckets.has(bucket)) continue;
      end();
      ends.delete(bucket);
      watch.onRemoved?.(bucket);
    }
    const added = wanted.filter(({ bucket }) => !ends.has(bucket));
    for (const { bucket } of added) ends.set(bucket, world.store.watch(bucket, world.store.revision, watch.onEvent));
    return added;
  };

  follow();
  const unsubscribe = typeChanges.subscribe(() => {
    for (const type of follow()) watch.onAdded?.(type);
  });
  onStop(context, () => {
    unsubscribe();
    for (const end of ends.values()) end();
    ends.clear();
  });
}
