import type { OwnerReference } from '../../objects/api-object.ts';
import type { World } from '../../operations/call.ts';
import { keyOf, type ServedResource } from '../../registry/served-resource.ts';
import type { Entry } from '../../storage/types.ts';
import { placeOfKey } from '../caller/system-caller.ts';
import { NAMESPACE_BUCKET } from '../namespaces/namespace.ts';
import { FOREGROUND, type OwnerState } from './decide.ts';

/** Finds owners as they are now. */
export interface OwnerLookup {
  /** @param namespace of the object that names the owner */
  stateOf(reference: OwnerReference, namespace: string | undefined): OwnerState;
  /** Whether the very object named is there, but in a namespace where it cannot be an owner of this one. */
  isElsewhere(reference: OwnerReference, namespace: string | undefined): boolean;
}

interface OwnerFacts {
  readonly uid: string | undefined;
  readonly isWaiting: boolean;
}

export function createOwnerLookup({ store, registry }: World): OwnerLookup {
  // Many dependents ask about the same owner in a row.
  const known = new WeakMap<Entry, OwnerFacts>();
  const factsOf = (entry: Entry): OwnerFacts => {
    const found = known.get(entry) ?? readFacts(entry);
    known.set(entry, found);
    return found;
  };
  const typeOf = ({ apiVersion, kind }: OwnerReference): ServedResource | undefined =>
    registry.forKind(apiVersion, kind);

  return {
    stateOf: (reference, namespace) => {
      const type = typeOf(reference);
      if (!type?.verbs.includes('get')) return 'unknown';
      if (type.namespaced && namespace === undefined) return 'misplaced';
      const entry = store.get(type.bucket, keyOf(type.namespaced ? namespace : undefined, reference.name));
      const facts = entry && factsOf(entry);
      if (facts?.uid !== reference.uid) return 'absent';
      return facts.isWaiting ? 'waiting' : 'solid';
    },
    isElsewhere: (reference, namespace) => {
      const type = typeOf(reference);
      if (!type?.namespaced) return false;
      return store.scan(NAMESPACE_BUCKET).some(({ key }) => {
        const { name } = placeOfKey(key);
        const entry = name === namespace ? undefined : store.get(type.bucket, keyOf(name, reference.name));
        return entry !== undefined && factsOf(entry).uid === reference.uid;
      });
    },
  };
}

function readFacts(entry: Entry): OwnerFacts {
  const { uid, deletionTimestamp, finalizers } = entry.object().metadata;
  return { uid, isWaiting: deletionTimestamp !== undefined && (finalizers?.includes(FOREGROUND) ?? false) };
}
