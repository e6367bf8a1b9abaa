import { keyOf, type UnknownObject } from '@klutch/kube';
import { isForeign, marksOf, type Standing } from '../ownership/marks.ts';

/** Which copies there are on the control plane, by key there. */
export interface Inventory {
  put(copy: UnknownObject, standing: Standing): void;
  delete(copy: UnknownObject): void;
  /** Forgets a namespace that is no longer looked at. */
  leave(namespace: string): void;
  /** Copies that are ours. */
  readonly own: number;
  /** Whether a namespace has copies, whosever they are. */
  isUsed(namespace: string): boolean;
}

export function createInventory(): Inventory {
  /** Keys by namespace; true: ours. */
  const namespaces = new Map<string, Map<string, boolean>>();
  let own = 0;

  function drop(copy: UnknownObject): void {
    const { namespace = '', name = '' } = copy.metadata;
    const keys = namespaces.get(namespace);
    const key = keyOf({ namespace, name });
    if (keys?.get(key)) own -= 1;
    keys?.delete(key);
    if (keys?.size === 0) namespaces.delete(namespace);
  }

  return {
    put: (copy, standing) => {
      drop(copy);
      // What no konnector has touched is the provider's own, and goes with the namespace as it came.
      if (!marksOf(copy).bound) return;
      const { namespace = '', name = '' } = copy.metadata;
      const keys = namespaces.get(namespace) ?? new Map<string, boolean>();
      namespaces.set(namespace, keys);
      const isOwn = !isForeign(standing);
      keys.set(keyOf({ namespace, name }), isOwn);
      if (isOwn) own += 1;
    },
    delete: drop,
    leave: (namespace) => {
      for (const isOwn of namespaces.get(namespace)?.values() ?? []) if (isOwn) own -= 1;
      namespaces.delete(namespace);
    },
    get own() {
      return own;
    },
    isUsed: (namespace) => namespaces.has(namespace),
  };
}
