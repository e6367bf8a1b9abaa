import type { Clock } from '../clock/clock.ts';
import { type HeapNode, createHeap } from './heap.ts';

/** Keys that wait for their time, each once. */
export interface DelayedKeys<K> {
  readonly size: number;
  /** Adds the key; for one that is there the earlier time and the higher priority win. */
  add(key: K, at: number, priority: number): void;
  /** Takes the key out before its time and tells its priority; undefined when it is not there. */
  remove(key: K): number | undefined;
  clear(): void;
}

/** Reports each key when its time has come, earliest first, with a single timer however many keys wait. */
export function createDelayedKeys<K>(clock: Clock, onDue: (key: K, priority: number) => void): DelayedKeys<K> {
  const nodes = new Map<K, HeapNode<Entry<K>>>();
  let heap = createHeap<Entry<K>>(earlier);
  let sequence = 0;
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;

  return {
    get size() {
      return nodes.size;
    },
    add: (key, at, priority) => {
      const known = nodes.get(key);
      if (known === undefined) {
        nodes.set(key, heap.push({ key, at, priority, sequence: sequence++ }));
      } else {
        known.value.priority = Math.max(priority, known.value.priority);
        known.value.at = Math.min(at, known.value.at);
        heap.moved(known);
      }
      arm();
    },
    remove: (key) => {
      const node = nodes.get(key);
      if (node === undefined) return undefined;
      take(node);
      arm();
      return node.value.priority;
    },
    clear: () => {
      nodes.clear();
      heap = createHeap<Entry<K>>(earlier);
      arm();
    },
  };

  function arm(): void {
    const at = heap.peek()?.at;
    if (timer?.at === at) return;
    timer?.cancel();
    timer = at === undefined ? undefined : { at, cancel: clock.after(Math.max(0, at - clock.now()), fire) };
  }

  function fire(): void {
    timer = undefined;
    const now = clock.now();
    for (let entry = heap.peek(); entry !== undefined && entry.at <= now; entry = heap.peek()) {
      const node = nodes.get(entry.key);
      if (node !== undefined) take(node);
      onDue(entry.key, entry.priority);
    }
    arm();
  }

  function take(node: HeapNode<Entry<K>>): void {
    heap.remove(node);
    nodes.delete(node.value.key);
  }
}

interface Entry<K> {
  readonly key: K;
  readonly sequence: number;
  at: number;
  priority: number;
}

function earlier(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at === b.at ? a.sequence < b.sequence : a.at < b.at;
}
