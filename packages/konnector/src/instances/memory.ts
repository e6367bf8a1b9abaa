import type { Seen } from './seen.ts';

/** What this process knows of a key beyond what the two clusters show. All of it may be lost without harm. */
export interface KeyMemory {
  /** The control plane refused the copy. */
  rejection?: Rejection;
  /** How often somebody changed what we had applied, and until when we let that be. */
  reverts?: Reverts;
  /** What a copy lacked right after it was applied: the control plane wants it so. */
  toleratedShortfall?: string;
  /** The status of the original right after it was written, and what had been asked for. */
  toleratedStatus?: string;
  /** The app cluster refused our condition in the status. */
  refusesCondition?: boolean;
  /** UID of an original whose deletion the watch delivered. */
  deletedOriginal?: string;
  /** The original went because its CRD did, not because somebody deleted it. */
  releasedWithCrd?: boolean;
  /** UID of a copy whose deletion was sent and accepted, and when. */
  deletionSent?: { readonly uid: string; readonly at: number };
  /** The watch of the control plane delivered the deletion of the copy, and nothing has come since. */
  sawCopyGo?: boolean;
  /** UID of a copy that somebody with our identity made. */
  strangeCopy?: string;
  /** A stamp that was taken for the original of this UID, and no copy carries yet. */
  stamp?: { readonly uid: string; readonly text: string };
  /** What the original waits for, and since when. */
  waiting?: { readonly reason: string; readonly since: number };
  /** The problem that an Event was written about last. */
  announced?: string;
  /** When the original was last heard of; absent when it is at rest. */
  seenAt?: number;
  /** When a change on either side was noticed that has not been carried over yet. */
  changedUp?: number;
  changedDown?: number;
}

export interface Rejection {
  /** Digest of what was refused. */
  readonly applied: string;
  /** Version of the copy that was to be changed. */
  readonly copyVersion: string | undefined;
  /** In the words of the control plane. */
  readonly message: string;
  readonly failures: number;
  readonly until: number;
  /** The refusal may be due to rights that are only being set up. */
  readonly mayPass: boolean;
}

export interface Reverts {
  readonly count: number;
  readonly at: number;
  readonly until: number;
}

/** Whether nothing of a key is left on either side, so that what is known of it can be forgotten. */
export function isOver({ app, place, copy }: Pick<Seen, 'app' | 'place' | 'copy'>): boolean {
  if (app !== undefined) return false;
  return copy.state === 'known' ? copy.object === undefined : place.state === 'unknown';
}

/** Memories of all keys that have any. */
export interface Memory {
  of(key: string): Readonly<KeyMemory>;
  change(key: string, change: Partial<KeyMemory>): void;
  forget(key: string): void;
  entries(): Iterable<readonly [string, Readonly<KeyMemory>]>;
  readonly size: number;
}

export function createMemory(): Memory {
  const memories = new Map<string, KeyMemory>();
  return {
    of: (key) => memories.get(key) ?? nothing,
    change: (key, change) => {
      const before = memories.get(key) ?? nothing;
      if (isPartOf(change, before)) return;
      const after = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
      if (after.length === 0) memories.delete(key);
      else memories.set(key, Object.fromEntries(after));
    },
    forget: (key) => void memories.delete(key),
    entries: () => memories.entries(),
    get size() {
      return memories.size;
    },
  };
}

/** Whether a change leaves everything as it is. */
function isPartOf(change: Partial<KeyMemory>, memory: Readonly<KeyMemory>): boolean {
  for (const name in change) {
    const field = name as keyof KeyMemory;
    if (change[field] !== memory[field]) return false;
  }
  return true;
}

const nothing: Readonly<KeyMemory> = Object.freeze({});
