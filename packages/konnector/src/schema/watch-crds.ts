import { type CustomResourceDefinition, CustomResourceDefinitions } from '@klutch/api';
import type { Informer, InformerShare, SharedInformers } from '@klutch/kube';

/** The CRDs of bound APIs, each followed by a watch of its own: those of others can be many and large. */
export interface CrdWatches {
  /** The informer of one CRD; the first call begins to follow it. */
  follow(name: string): Informer<CustomResourceDefinition>;
  /** Ends the watch of a CRD. */
  leave(name: string): void;
  /** Ends all watches. */
  close(): void;
}

/** `changed` is told the name of a CRD whenever it changed, and when it was first found or found missing. */
export function watchCrds(informers: SharedInformers, changed: (name: string) => void): CrdWatches {
  const followed = new Map<string, { share: InformerShare<CustomResourceDefinition>; unsubscribe: () => void }>();

  function begin(name: string) {
    const share = informers.acquire({ type: CustomResourceDefinitions, fieldSelector: `metadata.name=${name}` });
    const unsubscribe = share.informer.subscribe(() => changed(name));
    const entry = { share, unsubscribe };
    followed.set(name, entry);
    // A CRD that does not exist brings no change, only the end of the wait.
    share.informer.synced.then(
      () => changed(name),
      () => {},
    );
    return entry;
  }

  function leave(name: string): void {
    const entry = followed.get(name);
    followed.delete(name);
    entry?.unsubscribe();
    entry?.share.release();
  }

  return {
    follow: (name) => (followed.get(name) ?? begin(name)).share.informer,
    leave,
    close: () => {
      for (const name of followed.keys()) leave(name);
    },
  };
}
