import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../objects/meta.ts';
import { ObjectCache } from './cache.ts';
import type { Change } from './change.ts';
import { createFresh } from './fresh.ts';
import { createPacking, type Packed, type PackingKind } from './packed.ts';

interface Thing extends KubeObject {
  readonly team: string;
}

const thing = (name: string, version: number, team = 'red', uid = `uid-${name}`): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid, resourceVersion: String(version) },
  team,
});

const types = (changes: Iterable<{ type: string; key: string }>) =>
  [...changes].map(({ type, key }) => `${type} ${key}`);

/** Tells a cache that these objects are all there are. */
function replace(cache: ObjectCache<Thing>, objects: readonly Thing[]): Change<Thing>[] {
  const next = cache.replace();
  for (const object of objects) next.put(object);
  return [...next.done()];
}

describe.each<PackingKind>(['text', 'compressed'])('ObjectCache that keeps objects as %s', (kind) => {
  const packing = createPacking(kind);

  it('tells additions from updates and updates from repetitions', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    expect(types(cache.upsert(thing('a', 1)))).toEqual(['added ns/a']);
    expect(types(cache.upsert(thing('a', 2)))).toEqual(['updated ns/a']);
    expect(types(cache.upsert(thing('a', 2)))).toEqual([]);
    expect(types(cache.upsert(thing('a', 1)))).toEqual([]);
    expect(cache.get({ namespace: 'ns', name: 'a' })?.metadata.resourceVersion).toBe('2');
  });

  it('keeps keys of cluster-scoped objects free of a namespace', () => {
    const cache = new ObjectCache<KubeObject>({}, packing);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u', resourceVersion: '1' } };
    expect(types(cache.upsert(node))).toEqual(['added n1']);
    expect(cache.getByKey('n1')).toEqual(node);
    expect([cache.hasKey('n1'), cache.hasKey('n2')]).toEqual([true, false]);
  });

  it('sees another uid under the same name as deletion and creation', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    cache.upsert(thing('a', 1));
    expect(types(cache.upsert(thing('a', 5, 'red', 'other')))).toEqual(['deleted ns/a', 'added ns/a']);
  });

  it('ignores the deletion of an object that was already replaced', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    cache.upsert(thing('a', 5, 'red', 'new'));
    expect(cache.remove(thing('a', 4, 'red', 'old'))).toEqual([]);
    expect(cache.size).toBe(1);
  });

  it('reports a deletion with the state that the server sent last', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    cache.upsert(thing('a', 1, 'red'));
    const [change] = cache.remove(thing('a', 2, 'blue'));
    expect(change).toMatchObject({ type: 'deleted', object: { team: 'blue' } });
    expect(change).not.toHaveProperty('lastKnown');
    expect(cache.remove(thing('a', 2))).toEqual([]);
  });

  it('reports exactly the differences when the whole state is replaced', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    replace(cache, [thing('a', 1), thing('b', 1), thing('c', 1), thing('d', 1)]);
    const changes = replace(cache, [thing('a', 1), thing('b', 2), thing('d', 3, 'red', 'again'), thing('e', 4)]);
    expect(types(changes)).toEqual(['updated ns/b', 'deleted ns/d', 'added ns/d', 'added ns/e', 'deleted ns/c']);
    expect(changes.at(-1)).toMatchObject({ lastKnown: true });
  });

  it('shows nothing of a new state before it is complete, and then all of it before its changes are told', () => {
    const cache = new ObjectCache<Thing>({ team: ({ team }) => [team] }, packing);
    replace(cache, [thing('a', 1), thing('b', 1)]);
    const next = cache.replace();
    next.put(thing('b', 2, 'blue'));
    next.put(thing('c', 2, 'blue'));
    expect([...cache.keys()]).toEqual(['ns/a', 'ns/b']);
    expect(cache.getByKey('ns/b')?.team).toBe('red');
    const changes = next.done();
    expect([...cache.keys()]).toEqual(['ns/b', 'ns/c']);
    expect(cache.byIndex('team', 'blue')).toHaveLength(2);
    expect([...changes]).toMatchObject([
      { type: 'updated', key: 'ns/b', object: { team: 'blue' }, old: { team: 'red' } },
      { type: 'added', key: 'ns/c', object: { team: 'blue' } },
      { type: 'deleted', key: 'ns/a', lastKnown: true },
    ]);
  });

  it('lets a new state take back what it said', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    const next = cache.replace();
    next.put(thing('a', 1));
    next.put(thing('b', 2));
    next.delete('ns/a');
    expect(types(next.done())).toEqual(['added ns/b']);
  });

  it('forgets a new state that was never completed', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    replace(cache, [thing('a', 1)]);
    cache.replace().put(thing('b', 2));
    expect(replace(cache, [thing('a', 1)])).toEqual([]);
    expect([...cache.keys()]).toEqual(['ns/a']);
  });

  it('gives every object once more as an addition, the same to everybody who looks at one change', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    replace(cache, [thing('a', 1), thing('b', 1)]);
    const [first, ...others] = cache.added();
    expect(first?.object).toEqual(thing('a', 1));
    expect(first?.object).toBe(first?.object);
    expect(types(others)).toEqual(['added ns/b']);
  });

  it('believes a replaced state even when its versions went back', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    replace(cache, [thing('a', 9)]);
    expect(types(replace(cache, [thing('a', 3)]))).toEqual(['updated ns/a']);
  });

  it('follows its indexes through every kind of change', () => {
    const cache = new ObjectCache<Thing>({ team: ({ team }) => [team] }, packing);
    const names = (team: string) => cache.byIndex('team', team).map(({ metadata }) => metadata.name);
    replace(cache, [thing('a', 1, 'red'), thing('b', 1, 'blue')]);
    cache.upsert(thing('a', 2, 'blue'));
    expect([names('red'), names('blue')]).toEqual([[], ['b', 'a']]);
    cache.remove(thing('b', 3, 'blue'));
    cache.upsert(thing('a', 4, 'red', 'again'));
    expect([names('red'), names('blue')]).toEqual([['a'], []]);
    replace(cache, []);
    expect(names('red')).toEqual([]);
  });

  it('hands out copies, so that nobody changes what others see', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    cache.upsert(thing('a', 1));
    const mine = cache.getByKey('ns/a') as { team: string } | undefined;
    if (mine) mine.team = 'changed';
    expect(cache.getByKey('ns/a')?.team).toBe('red');
  });

  it('shows the old state with an update', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    cache.upsert(thing('a', 1, 'red'));
    expect(cache.upsert(thing('a', 2, 'blue'))).toMatchObject([{ old: { team: 'red' }, object: { team: 'blue' } }]);
  });

  it('fills an index that is added later, and refuses an unknown one', () => {
    const cache = new ObjectCache<Thing>({}, packing);
    cache.upsert(thing('a', 1, 'red'));
    expect(() => cache.byIndex('team', 'red')).toThrow('team');
    cache.addIndex('team', ({ team }) => [team]);
    expect(cache.byIndex('team', 'red')).toHaveLength(1);
  });
});

describe('what is kept aside to be compressed later', () => {
  function open() {
    const fresh = createFresh<Packed<KubeObject>>(1_000);
    return { fresh, cache: new ObjectCache<Thing>({}, createPacking('compressed', fresh)) };
  }
  const many = (version: number) => Array.from({ length: 20 }, (_, index) => thing(`t${index}`, version));

  it('is what the cache has, and nothing that it had', () => {
    const { fresh, cache } = open();
    for (const version of [1, 2, 3]) for (const one of many(version)) cache.upsert(one);
    expect(fresh.size).toBe(20);
    for (const version of [4, 5]) replace(cache, many(version));
    replace(cache, many(5));
    expect(fresh.size).toBe(20);
    for (const one of many(6)) cache.remove(one);
    expect(fresh.size).toBe(0);
  });

  it('has nothing of a state that was never completed, or that took back what it said', () => {
    const { fresh, cache } = open();
    cache.upsert(thing('t0', 1));
    for (const version of [2, 3]) {
      const next = cache.replace();
      next.put(thing('t0', 1));
      for (const one of many(version).slice(1)) next.put(one);
    }
    expect(fresh.size).toBe(20);
    const next = cache.replace();
    for (const version of [4, 5]) for (const one of many(version)) next.put(one);
    for (const one of many(5)) next.delete(`ns/${one.metadata.name}`);
    expect(fresh.size).toBe(1);
    expect([...next.done()]).toHaveLength(1);
    expect(fresh.size).toBe(0);
  });

  it('has nothing of a cache that nobody feeds any more, which can still be read', () => {
    const { fresh, cache } = open();
    replace(cache, many(1));
    cache.replace().put(thing('t0', 2));
    cache.leave();
    expect([fresh.size, cache.size, cache.getByKey('ns/t3')]).toEqual([0, 20, thing('t3', 1)]);
  });
});
