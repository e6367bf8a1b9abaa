import { type HeapNode, createHeap } from './heap.ts';

/** A key that could be worked on now. */
interface ReadyKey<K> {
  readonly key: K;
  readonly priority: number;
  /** When it became ready, as given to `add`. */
  readonly since: number;
}

/** Keys that could be worked on now, each once. */
export interface ReadyKeys<K> {
  readonly size: number;
  has(key: K): boolean;
  /** Adds the key at the end of its priority, or raises the priority of one that is there; it then keeps its age. */
  add(key: K, priority: number, now: number): void;
  /** Takes out the key whose turn it is. */
  next(): ReadyKey<K> | undefined;
  clear(): void;
}

/**
 * Hands out the highest priority first; within a priority lanes take turns, and each lane gives its oldest key. Every
 * `oldestEvery`-th time it is simply the oldest of all, so that no key starves.
 */
export function createReadyKeys<K>(oldestEvery: number, laneOf: (key: K) => string = () => ''): ReadyKeys<K> {
  const entries = new Map<K, { readonly byUrgency: HeapNode<Entry<K>>; readonly byAge: HeapNode<Entry<K>> }>();
  let urgent = createHeap<Entry<K>>(moreUrgent);
  let aged = createHeap<Entry<K>>(older);
  /** The round in which each lane's last key has its turn. A lane that was idle joins the current round. */
  const lastRounds = new Map<string, number>();
  let currentRound = 0;
  let sequence = 0;
  let turns = 0;

  return {
    get size() {
      return entries.size;
    },
    has: (key) => entries.has(key),
    add: (key, priority, now) => {
      const known = entries.get(key)?.byUrgency;
      if (known === undefined) {
        const entry = { key, priority, since: now, sequence: sequence++, round: nextRound(laneOf(key)) };
        entries.set(key, { byUrgency: urgent.push(entry), byAge: aged.push(entry) });
        return;
      }
      if (priority <= known.value.priority) return;
      known.value.priority = priority;
      urgent.moved(known);
    },
    next: () => {
      if (entries.size > 0) turns += 1;
      const entry = turns % oldestEvery === 0 ? aged.peek() : urgent.peek();
      if (entry === undefined) return undefined;
      take(entry.key);
      currentRound = Math.max(currentRound, entry.round);
      if (entries.size === 0) lastRounds.clear();
      return entry;
    },
    clear: () => {
      entries.clear();
      lastRounds.clear();
      urgent = createHeap<Entry<K>>(moreUrgent);
      aged = createHeap<Entry<K>>(older);
    },
  };

  function nextRound(lane: string): number {
    const round = Math.max(currentRound, lastRounds.get(lane) ?? 0) + 1;
    lastRounds.set(lane, round);
    return round;
  }

  function take(key: K): void {
    const nodes = entries.get(key);
    if (nodes === undefined) return;
    urgent.remove(nodes.byUrgency);
    aged.remove(nodes.byAge);
    entries.delete(key);
  }
}

interface Entry<K> {
  readonly key: K;
  readonly since: number;
  readonly sequence: number;
  readonly round: number;
  priority: number;
}

function moreUrgent(a: Entry<unknown>, b: Entry<unknown>): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.round === b.round ? older(a, b) : a.round < b.round;
}

function older(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.sequence < b.sequence;
}
