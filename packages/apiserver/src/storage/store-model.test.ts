import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openStore } from './open-store.ts';
import type { Entry, Store, StoredEvent } from './types.ts';

type Step =
  | {
      do: 'put' | 'delete';
      bucket: string;
      key: string;
      expects: 'nothing' | 'the truth' | 'absence' | 'something else';
    }
  | { do: 'read'; bucket: string; back: number; namespace?: string; after?: string; limit?: number }
  | { do: 'watch'; bucket: string; back: number }
  | { do: 'compact'; back: number }
  | { do: 'settle' | 'reopen' };

interface ModelEvent {
  readonly type: StoredEvent['type'];
  readonly bucket: string;
  readonly key: string;
  readonly revision: number;
  readonly previous: number | undefined;
}

/** The simplest store there can be: it remembers every event, and replays them to answer anything. */
class Model {
  events: ModelEvent[] = [];
  revision = 1;
  oldest = 1;

  stateAt(bucket: string, revision: number): Map<string, number> {
    const state = new Map<string, number>();
    for (const event of this.events) {
      if (event.bucket !== bucket || event.revision > revision) continue;
      if (event.type === 'DELETED') state.delete(event.key);
      else state.set(event.key, event.revision);
    }
    return state;
  }

  write(bucket: string, key: string, isDeletion: boolean): void {
    const previous = this.stateAt(bucket, this.revision).get(key);
    this.revision += 1;
    const type = isDeletion ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
    this.events.push({ type, bucket, key, revision: this.revision, previous });
  }
}

const buckets = fc.constantFrom('/a', 'example.org/b');
const keys = fc.tuple(fc.constantFrom('', 'n', 'n-m'), fc.constantFrom('1', '2', '3')).map(([n, k]) => `${n}/${k}`);
const back = fc.integer({ min: 0, max: 6 });
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom<'put' | 'delete'>('put', 'put', 'delete'),
      bucket: buckets,
      key: keys,
      expects: fc.constantFrom<'nothing' | 'the truth' | 'absence' | 'something else'>(
        'nothing',
        'the truth',
        'absence',
        'something else',
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant<'read'>('read'),
      bucket: buckets,
      back,
      namespace: optional(fc.constantFrom('', 'n', 'n-m')),
      after: optional(keys),
      limit: optional(fc.integer({ min: 1, max: 4 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant<'watch'>('watch'), bucket: buckets, back }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant<'compact'>('compact'), back }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom<'settle' | 'reopen'>('settle', 'settle', 'reopen') }) },
);

/** A store and its model, going through the same. */
class Comparison {
  readonly #open: () => Promise<Store>;
  readonly #isDurable: boolean;
  readonly #model = new Model();
  #store: Store;
  #writes: Promise<Entry>[] = [];
  #watches: { bucket: string; from: number; heard: StoredEvent[] }[] = [];

  constructor(store: Store, open: () => Promise<Store>, isDurable: boolean) {
    this.#store = store;
    this.#open = open;
    this.#isDurable = isDurable;
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'put' || step.do === 'delete') this.#write(step);
    if (step.do === 'read') this.#read(step);
    if (step.do === 'watch') this.#watch(step);
    if (step.do === 'compact') this.#compact(step);
    if (step.do === 'settle') await this.settle();
    if (step.do === 'reopen' && this.#isDurable) await this.#reopen();
    expect(this.#store.revision).toBe(this.#model.revision);
    expect(this.#store.oldestRevision).toBe(this.#model.oldest);
  }

  async settle(): Promise<void> {
    await Promise.all(this.#writes);
    this.#writes = [];
    // Replays come soon, not at once.
    await Promise.resolve();
    expect(this.#store.durableRevision).toBe(this.#model.revision);
    for (const { bucket, from, heard } of this.#watches) {
      const expected = this.#model.events.filter((event) => event.bucket === bucket && event.revision > from);
      expect(heard.map(asModelEvent)).toEqual(expected);
    }
  }

  async close(): Promise<void> {
    await this.settle();
    await this.#store.close();
  }

  #write(step: Extract<Step, { bucket: string; key: string }>): void {
    const { bucket, key } = step;
    const current = this.#model.stateAt(bucket, this.#model.revision).get(key) ?? 0;
    const expected = { nothing: undefined, 'the truth': current, absence: 0, 'something else': current + 1 }[
      step.expects
    ];
    const isDeletion = step.do === 'delete';
    const metadata = { name: key, labels: { revision: String(this.#model.revision + 1) } };
    const object = isDeletion ? undefined : { apiVersion: 'v1', kind: 'Thing', metadata };
    const written = this.#store.commit({ bucket, key, object, expected });

    const matches = expected === undefined || expected === current;
    const happens = matches && !(isDeletion && current === 0);
    expect(written !== undefined).toBe(happens);
    if (!written) return;
    this.#writes.push(written);
    this.#model.write(bucket, key, isDeletion);
  }

  #read({ bucket, back, namespace, after, limit }: Extract<Step, { do: 'read' }>): void {
    const atRevision = this.#model.revision - back;
    const scan = () =>
      this.#store.scan(bucket, { namespace, after, limit, atRevision: back === 0 ? undefined : atRevision });
    if (atRevision < this.#model.oldest) {
      expect(scan).toThrow('too old');
      return;
    }
    const state = this.#model.stateAt(bucket, atRevision);
    const isWanted = (key: string) =>
      (namespace === undefined || key.startsWith(`${namespace}/`)) && (after === undefined || key > after);
    const expected = [...state].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([key]) => isWanted(key));
    expect(scan().map(({ key, revision }) => [key, revision])).toEqual(expected.slice(0, limit));
    for (const entry of scan()) {
      expect(entry.object().metadata.resourceVersion).toBe(String(entry.revision));
      expect(entry.labels).toEqual({ revision: String(entry.revision) });
    }
    if (back > 0) return;
    expect(this.#store.count(bucket)).toBe(state.size);
    for (const key of state.keys()) expect(this.#store.get(bucket, key)?.revision).toBe(state.get(key));
  }

  #watch({ bucket, back }: Extract<Step, { do: 'watch' }>): void {
    const from = this.#model.revision - back;
    const heard: StoredEvent[] = [];
    const start = () => this.#store.watch(bucket, from, (event) => heard.push(event));
    if (from < this.#model.oldest) {
      expect(start).toThrow('too old');
      return;
    }
    start();
    expect(heard).toEqual([]);
    this.#watches.push({ bucket, from, heard });
  }

  #compact({ back }: Extract<Step, { do: 'compact' }>): void {
    const revision = Math.min(this.#model.revision - back, this.#store.durableRevision);
    this.#store.compact(this.#model.revision - back);
    this.#model.oldest = Math.max(this.#model.oldest, revision);
  }

  async #reopen(): Promise<void> {
    await this.close();
    this.#watches = [];
    this.#store = await this.#open();
    this.#model.oldest = this.#model.revision;
  }
}

function asModelEvent({ type, entry, revision, previous }: StoredEvent): ModelEvent {
  return { type, bucket: entry.bucket, key: entry.key, revision, previous: previous?.revision };
}

async function compare(path: readonly Step[], dir: string | undefined): Promise<void> {
  // Little is needed for a snapshot, so that most runs with a folder go through several.
  const open = () => openStore({ dir, snapshotAfterBytes: 1_000 });
  const comparison = new Comparison(await open(), open, dir !== undefined);
  for (const step of path) await comparison.take(step);
  await comparison.close();
}

describe('a store, whatever is done to it in whatever order', () => {
  it('does what a list of all events would do', async () => {
    const path = fc.array(steps, { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(path, (steps) => compare(steps, undefined)),
      { numRuns: 300 },
    );
  });

  it('does the same with a folder, across reopening and snapshots', async () => {
    const root = await mkdtemp(join(tmpdir(), 'klutch-store-model-'));
    let run = 0;
    const path = fc.array(steps, { minLength: 1, maxLength: 60 });
    try {
      await fc.assert(
        fc.asyncProperty(path, (steps) => compare(steps, join(root, String(run++)))),
        { numRuns: 60 },
      );
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }, 60_000);
});
