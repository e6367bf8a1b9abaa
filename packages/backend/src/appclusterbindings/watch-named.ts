import {
  type Informer,
  type InformerShare,
  keyOf,
  type KubeObject,
  type ObjectRef,
  type ResourceType,
  type SharedInformers,
} from '@klutch/kube';

/** Objects of one type that bindings name, each followed by a watch of its own; no other is read. */
export interface NamedWatches<T extends KubeObject> {
  /** The informer of the object that a binding names; the first call begins to follow it. */
  follow(bindingKey: string, ref: ObjectRef): Informer<T>;
  /** The object need not be followed any more. */
  release(bindingKey: string): void;
  /** Ends it. */
  releaseAll(): void;
}

/** `changed` is told the key of a binding whenever its object changed, and when it was first found or found missing. */
export function watchNamed<T extends KubeObject>(
  informers: SharedInformers,
  type: ResourceType<T>,
  changed: (bindingKey: string) => void,
): NamedWatches<T> {
  const followed = new Map<string, Followed<T>>();

  function begin(bindingKey: string, ref: ObjectRef): Followed<T> {
    const share = informers.acquire({
      type,
      namespace: ref.namespace,
      fieldSelector: `metadata.name=${ref.name}`,
    });
    const unsubscribe = share.informer.subscribe(() => changed(bindingKey));
    // An object that does not exist brings no change, only the end of the wait.
    share.informer.synced.then(
      () => changed(bindingKey),
      () => {},
    );
    const entry = { object: keyOf(ref), share, unsubscribe };
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
      if (entry?.object === keyOf(ref)) return entry.share.informer;
      // Deleted and created anew with another reference.
      release(bindingKey);
      return begin(bindingKey, ref).share.informer;
    },
  };
}

interface Followed<T extends KubeObject> {
  readonly object: string;
  readonly share: InformerShare<T>;
  readonly unsubscribe: () => void;
}
