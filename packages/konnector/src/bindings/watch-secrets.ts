import {
  type Informer,
  type InformerShare,
  type ObjectRef,
  keyOf,
  type Secret,
  Secrets,
  type SharedInformers,
} from '@klutch/kube';

/** Exactly the Secrets that somebody asked for, each followed by a watch of its own; no other is ever read. */
export interface SecretWatches {
  /** The informer of one Secret; the first call begins to follow it. */
  follow(ref: ObjectRef): Informer<Secret>;
  /** Ends the watches of all Secrets but these. */
  keepOnly(keys: ReadonlySet<string>): void;
}

/** `changed` is told the key of a Secret whenever that Secret changed, and when it was first found or found missing. */
export function watchSecrets(informers: SharedInformers, changed: (key: string) => void): SecretWatches {
  const followed = new Map<string, Followed>();

  function begin(ref: ObjectRef): Followed {
    const key = keyOf(ref);
    const share = informers.acquire({
      type: Secrets,
      namespace: ref.namespace,
      fieldSelector: `metadata.name=${ref.name}`,
    });
    const unsubscribe = share.informer.subscribe(() => changed(key));
    // A Secret that does not exist brings no change, only the end of the wait.
    share.informer.synced.then(
      () => changed(key),
      () => {},
    );
    const entry = { share, unsubscribe };
    followed.set(key, entry);
    return entry;
  }

  return {
    follow: (ref) => (followed.get(keyOf(ref)) ?? begin(ref)).share.informer,
    keepOnly: (keys) => {
      for (const [key, { share, unsubscribe }] of followed) {
        if (keys.has(key)) continue;
        unsubscribe();
        share.release();
        followed.delete(key);
      }
    },
  };
}

interface Followed {
  readonly share: InformerShare<Secret>;
  readonly unsubscribe: () => void;
}
