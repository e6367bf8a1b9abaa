import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseListOptions } from '../list/index.ts';
import { openStore, type Store } from '../storage/index.ts';
import { storedShape } from './shape.ts';
import { type ReadEvent, RecordingSink } from './testing/recording-sink.ts';
import { createWatchHub } from './watch-hub.ts';

const BUCKET = '/things';
const type = { namespaced: true, builtIn: true, selectableFields: {} };

type Step =
  | { do: 'write'; key: number; wanted: boolean }
  | { do: 'remove'; key: number }
  | { do: 'drain'; client: number; room: number }
  | { do: 'rest' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant<'write'>('write'), key: fc.nat(5), wanted: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant<'remove'>('remove'), key: fc.nat(5) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant<'drain'>('drain'),
      client: fc.nat(2),
      room: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant<'rest'>('rest') }) },
);

/** What a client that follows the events believes there is. */
function believed(events: readonly ReadEvent[]): Map<string, string> {
  const state = new Map<string, string>();
  for (const { type, object } of events) {
    const name = object.metadata.name ?? '';
    if (type === 'BOOKMARK') continue;
    // A client takes an addition of what it has, or a change of what it has not, for a sign that it missed something.
    expect(state.has(name), `${type} ${name}`).toBe(type !== 'ADDED');
    if (type === 'DELETED') state.delete(name);
    else state.set(name, object.metadata.resourceVersion);
  }
  return state;
}

function write(store: Store, step: Step): Promise<unknown> | undefined {
  if (step.do !== 'write' && step.do !== 'remove') return undefined;
  const name = `t${step.key}`;
  const labels = { wanted: String(step.do === 'write' && step.wanted) };
  const object = step.do === 'remove' ? undefined : { apiVersion: 'v1', kind: 'Thing', metadata: { name, labels } };
  return store.commit({ bucket: BUCKET, key: `n/${name}`, object });
}

describe('clients that follow watches', () => {
  it('believe what is true, however slow they are and whatever they want', async () => {
    const queries = ['', 'labelSelector=wanted%3Dtrue&allowWatchBookmarks=1', 'fieldSelector=metadata.name%21%3Dt1'];
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 20 }), fc.array(steps, { maxLength: 60 }), async (before, path) => {
        const store = await openStore();
        const hub = createWatchHub(store);
        for (const step of before) await write(store, step);
        const clients = queries.map((query) => {
          const sink = new RecordingSink();
          sink.room = 1;
          const options = parseListOptions(new URLSearchParams(`watch=1&${query}`), type);
          const listed = { bucket: BUCKET, namespaced: true, namespace: 'n' };
          hub.open({ listed, options, shape: storedShape('v1', 'Thing') }, sink);
          return { sink, options };
        });

        for (const step of path) {
          const written = write(store, step);
          if (step.do === 'rest') await Promise.resolve();
          if (step.do === 'drain') clients[step.client]?.sink.drain(step.room);
          if (step.do === 'write') await written;
        }
        for (let turn = 0; turn < 3; turn += 1) {
          for (const { sink } of clients) sink.drain();
          await new Promise((resolve) => setImmediate(resolve));
        }

        for (const { sink, options } of clients) {
          const wanted = store
            .scan(BUCKET)
            .filter((entry) => options.labelSelector.matches(entry.labels) && options.fieldSelector.matches(entry));
          const truth = wanted.map(({ key, revision }) => [key.slice(2), String(revision)]);
          expect([...believed(sink.events)].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(truth);
          const live = sink.events.map(({ object }) => Number(object.metadata.resourceVersion));
          const ordered = live.slice(before.length);
          expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
        }
        hub.close();
      }),
      { numRuns: 300 },
    );
  });
});
