import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { StatusError } from '../status/status-error.ts';
import type { Shape } from './shape.ts';
import type { RecordingSink } from './testing/recording-sink.ts';
import { soon, whole, World } from './testing/world.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the start of a watch', () => {
  /** Revisions: a 2, b 3, c 4, a again 5. */
  async function worldWithHistory(): Promise<World> {
    const world = await World.create();
    await world.put('a', { p: 'odd' });
    await world.put('b', { p: 'even' });
    await world.put('c', { p: 'odd' });
    await world.put('a', { p: 'even' });
    return world;
  }
  const state = ['ADDED a@5', 'ADDED b@3', 'ADDED c@4'];
  const end = 'BOOKMARK @5';

  it.each([
    ['', state],
    ['resourceVersion=0', state],
    ['allowWatchBookmarks=true', [...state, end]],
    ['allowWatchBookmarks=true&resourceVersion=0', [...state, end]],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan', state],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', [...state, end]],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=3',
      [...state, end],
    ],
    ['labelSelector=p%3Dodd&allowWatchBookmarks=true', ['ADDED c@4', end]],
    ['fieldSelector=metadata.name%3Db', ['ADDED b@3']],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan', []],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0', []],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=3', ['ADDED c@4', 'MODIFIED a@5']],
    ['resourceVersion=2', ['ADDED b@3', 'ADDED c@4', 'MODIFIED a@5']],
    ['resourceVersion=2&labelSelector=p%3Deven', ['ADDED b@3', 'ADDED a@5']],
    ['resourceVersion=2&labelSelector=p%3Dodd', ['ADDED c@4', 'DELETED a@5']],
    ['resourceVersion=5', []],
    ['resourceVersion=999', []],
    ['limit=1', state],
  ])('with %j is %j, as from Kubernetes', async (query, events) => {
    const world = await worldWithHistory();

    const { sink } = world.watch(query);
    await soon();

    expect(sink.isStarted).toBe(true);
    expect(sink.summary).toEqual(events);
  });

  it('says when the state is complete, in the words of Kubernetes', async () => {
    const world = await worldWithHistory();

    const { sink } = world.watch('allowWatchBookmarks=true');

    expect(sink.events.at(-1)).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
  });

  it('goes on live, without gap or repetition', async () => {
    const world = await worldWithHistory();
    const fromState = world.watch().sink;
    const fromVersion = world.watch('resourceVersion=4').sink;

    await world.put('d');
    await world.remove('d');

    expect(fromState.summary).toEqual([...state, 'ADDED d@6', 'DELETED d@7']);
    expect(fromVersion.summary).toEqual(['MODIFIED a@5', 'ADDED d@6', 'DELETED d@7']);
  });

  it('leaves out what is not safe yet, and brings it when it is', async () => {
    const world = await worldWithHistory();
    const written = world.put('d');

    const { sink } = world.watch('allowWatchBookmarks=true');

    expect(sink.summary).toEqual([...state, end]);
    await written;
    expect(sink.summary.slice(4)).toEqual(['ADDED d@6']);
  });

  it('keeps to the namespace, or takes all', async () => {
    const world = await worldWithHistory();
    await world.put('x', {}, 'n-m');

    expect(world.watch('', { namespace: 'n-m' }).sink.summary).toEqual(['ADDED x@6']);
    expect(world.watch('', { namespace: 'all' }).sink.summary).toHaveLength(4);
    const { sink } = world.watch('resourceVersion=6');
    await world.put('y', {}, 'n-m');
    await world.put('z');
    expect(sink.summary).toEqual(['ADDED z@8']);
  });

  it.each([
    ['resourceVersion=2', 410, 'Expired', 'too old resource version: 2 (3)'],
    [
      'resourceVersion=999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      504,
      'Timeout',
      'Timeout: Too large resource version: 999, current: 5',
    ],
  ])('with %s is an error event, and the end', async (query, code, reason, message) => {
    const world = await worldWithHistory();
    world.store.compact(3);

    const { sink } = world.watch(query);

    expect(sink.isEnded).toBe(true);
    expect(sink.events).toEqual([
      {
        type: 'ERROR',
        object: expect.objectContaining({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }),
      },
    ]);
    expect(world.hub.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is refused before it begins when the version is no number', async () => {
    const world = await worldWithHistory();
    let error: StatusError | undefined;
    try {
      world.watch('resourceVersion=abc');
    } catch (thrown) {
      error = thrown as StatusError;
    }

    expect(error).toMatchObject({
      code: 500,
      message: expect.stringContaining('resourceVersion: Invalid value: "abc"'),
    });
    expect(world.hub.size).toBe(0);
  });
});

describe('a watch with a selector', () => {
  it('takes entering for adding and leaving for deleting, showing the object as it was', async () => {
    const world = await World.create();
    const { sink } = world.watch('resourceVersion=1&labelSelector=p%3Dyes');

    await world.put('a', { p: 'no' });
    await world.put('a', { p: 'yes', step: '1' });
    await world.put('a', { p: 'yes', step: '2' });
    await world.put('a', { p: 'no' });
    await world.put('a', { p: 'yes', step: '3' });
    await world.remove('a');
    await world.put('b', { p: 'no' });
    await world.remove('b');

    expect(sink.summary).toEqual(['ADDED a@3', 'MODIFIED a@4', 'DELETED a@5', 'ADDED a@6', 'DELETED a@7']);
    expect(sink.events.map(({ object }) => object.metadata.labels?.['step'])).toEqual(['1', '2', '2', '3', '3']);
  });
});

describe('watches on the same events', () => {
  it('share the bytes, if they want the same shape', async () => {
    const world = await World.create();
    let rendered = 0;
    const names: Shape = {
      ...whole,
      id: 'names',
      object: (entry) => {
        rendered += 1;
        return JSON.stringify({ kind: 'Name', metadata: { name: entry.key, resourceVersion: String(entry.revision) } });
      },
    };
    const sinks = Array.from({ length: 20 }, () => world.watch('resourceVersion=1', { shape: names }).sink);
    const other = world.watch('resourceVersion=1').sink;

    await world.put('a');
    await world.put('a');

    expect(rendered).toBe(2);
    for (const sink of sinks) {
      expect(sink.summary).toEqual(['ADDED n/a@2', 'MODIFIED n/a@3']);
      expect(sink.pieces[0]).toBe(sinks[0]?.pieces[0]);
    }
    expect(other.events[0]?.object.kind).toBe('ConfigMap');
  });

  it('have different first events where the shape says so', async () => {
    const world = await World.create();
    const table: Shape = {
      id: 'table',
      firstIsDifferent: true,
      object: ({ key }, isFirst) =>
        JSON.stringify({ kind: isFirst ? 'TableWithHeaders' : 'Table', metadata: { name: key } }),
      bookmark: (metadata, isFirst) => JSON.stringify({ kind: isFirst ? 'TableWithHeaders' : 'Table', metadata }),
    };
    const early = world.watch('resourceVersion=1', { shape: table }).sink;
    await world.put('a');
    const late = world.watch('resourceVersion=2', { shape: table }).sink;
    const bookmarked = world.watch('labelSelector=none&allowWatchBookmarks=true', { shape: table }).sink;
    await world.put('b');

    const kinds = ({ events }: RecordingSink) => events.map(({ object }) => object.kind);
    expect(kinds(early)).toEqual(['TableWithHeaders', 'Table']);
    expect(kinds(late)).toEqual(['TableWithHeaders']);
    expect(kinds(bookmarked)).toEqual(['TableWithHeaders']);
  });

  it('end one by one when a shape fails', async () => {
    const world = await World.create();
    const broken: Shape = {
      ...whole,
      id: 'broken',
      object: () => {
        throw new Error('no such column');
      },
    };
    const { sink } = world.watch('resourceVersion=1', { shape: broken });
    const fine = world.watch('resourceVersion=1').sink;

    await world.put('a');

    expect(sink.events).toMatchObject([{ type: 'ERROR', object: { code: 500, reason: 'InternalError' } }]);
    expect(sink.isEnded).toBe(true);
    expect(fine.summary).toEqual(['ADDED a@2']);
  });
});
