import type { Metadata, OwnerReference } from '../../objects/api-object.ts';
import type { DeletionOptions } from '../../operations/delete.ts';

/** Keeps an owner until the dependents that block it are gone. */
export const FOREGROUND = 'foregroundDeletion';

/** Keeps an owner until its dependents do not name it any more. */
export const ORPHAN = 'orphan';

/**
 * What has become of an owner that an object names: it is there (`solid`), it waits for its dependents to go
 * (`waiting`), there is nothing of that name and uid where it would have to be (`absent`), its kind is not served or kept
 * here (`unknown`), or an object outside namespaces names one inside (`misplaced`).
 */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'unknown' | 'misplaced';

/** What is known of an object when the garbage collector looks at it. */
export interface SeenObject {
  readonly metadata: Readonly<Metadata>;
  readonly owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[];
  /** Whether there are other objects that name this one as an owner, and among them such as wait for their dependents. */
  readonly dependents: 'none' | 'some' | 'waiting';
  /** Whether any of them must go before this one. */
  readonly isBlocked: boolean;
}

export type Verdict =
  | { readonly do: 'nothing' }
  /** Something about the owners is not clear, and never will be unless something changes: hands off. */
  | { readonly do: 'leave' }
  /** Take the object's name out of all dependents, and then its finalizer away. */
  | { readonly do: 'orphanDependents' }
  /** Nothing blocks the object any more: its finalizer goes. */
  | { readonly do: 'release' }
  /** Some owners are gone or going while others stay. */
  | { readonly do: 'dropOwners'; readonly uids: readonly string[] }
  /** Its owner waits for it, and it would wait for its owner: it must not block. */
  | { readonly do: 'unblockOwners' }
  | { readonly do: 'delete'; readonly propagation: NonNullable<DeletionOptions['propagation']> };

/** Pure: what the garbage collector does about an object; the rules of Kubernetes in the order in which they count. */
export function decideGarbage({ metadata, owners, dependents, isBlocked }: SeenObject): Verdict {
  const has = (finalizer: string) => metadata.finalizers?.includes(finalizer) ?? false;
  if (metadata.deletionTimestamp !== undefined) {
    if (has(ORPHAN)) return { do: 'orphanDependents' };
    if (!has(FOREGROUND)) return { do: 'nothing' };
    // The dependents have their own verdicts.
    return { do: isBlocked ? 'nothing' : 'release' };
  }
  const uidsOf = (...states: readonly OwnerState[]) =>
    owners.filter(({ state }) => states.includes(state)).map(({ reference }) => reference.uid);
  if (owners.length === 0) return { do: 'nothing' };
  if (uidsOf('unknown', 'misplaced').length > 0) return { do: 'leave' };
  if (uidsOf('solid').length > 0) {
    const uids = uidsOf('absent', 'waiting');
    return uids.length === 0 ? { do: 'nothing' } : { do: 'dropOwners', uids };
  }
  if (uidsOf('waiting').length > 0 && dependents !== 'none') {
    const blocks = owners.some(({ reference }) => reference.blockOwnerDeletion);
    return dependents === 'waiting' && blocks ? { do: 'unblockOwners' } : { do: 'delete', propagation: 'Foreground' };
  }
  if (has(ORPHAN)) return { do: 'delete', propagation: 'Orphan' };
  return { do: 'delete', propagation: has(FOREGROUND) ? 'Foreground' : 'Background' };
}
