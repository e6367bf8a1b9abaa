import {
  type Informer,
  type InformerShare,
  keyOf,
  type ObjectRef,
  type Secret,
  Secrets,
  type SharedInformers,
} from '@klutch/kube';

/** Exactly the Secrets that bindings name, each followed by a watch of its own; no other is read. */
export interface SecretWatches {
  /** The informer of the Secret that a binding names; the first call begins to follow it. */
  follow(bindingKey: string, ref: ObjectRef): Informer<Secret>;
  /** The binding is gone. */
  release(bindingKey: string): void;
  /** Ends it. */
  releaseAll(): void;
}

/** `changed` is told the key of a binding whenever its Secret changed, and when it was first found or found missing. */
export function watchSecrets(informers: SharedInformers, changed: (bindingKey: string) => void): SecretWatches {
  const followed = new Map<string, Followed>();

  function begin(bindingKey: string, ref: ObjectRef): Followed {
    const share = informers.acquire({
      type: Secrets,
      namespace: ref.namespace,
      fieldSelector: `metadata.name=${ref.name}`,
    });
    const unsubscribe = share.informer.subscribe(() => changed(bindingKey));
    // A Secret that does not exist brings no change, only the end of the wait.
    share.informer.synced.then(
      () => changed(bindingKey),
      () => {},
    );
    const entry = { secret: keyOf(ref), share, unsubscribe };
    followed.set(bindingKey, entry);
    return entry;
  }

  function release(bindingKey: string): void {
    const entry = followed.get(bindingKey);
    entry?.unsubscribe();
    entry?.share.release();
    followed.delete(bindingKey);
  }

  return {
    release,
    releaseAll: () => [...followed.keys()].forEach(release),
    follow: (bindingKey, ref) => {
      const entry = followed.get(bindingKey);
      if (entry?.secret === keyOf(ref)) return entry.share.informer;
      // Deleted and created anew with another reference.
      release(bindingKey);
      return begin(bindingKey, ref).share.informer;
    },
  };
}

interface Followed {
  readonly secret: string;
  readonly share: InformerShare<Secret>;
  readonly unsubscribe: () => void;
}
