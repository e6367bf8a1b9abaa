import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../objects/meta.ts';
import { ObjectCache } from './cache.ts';

interface Thing extends KubeObject {
  readonly team: string;
}

const thing = (name: string, version: number, team = 'red', uid = `uid-${name}`): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid, resourceVersion: String(version) },
  team,
});

const types = (changes: readonly { type: string; key: string }[]) => changes.map(({ type, key }) => `${type} ${key}`);

describe('ObjectCache', () => {
  it('tells additions from updates and updates from repetitions', () => {
    const cache = new ObjectCache<Thing>();
    expect(types(cache.upsert(thing('a', 1)))).toEqual(['added ns/a']);
    expect(types(cache.upsert(thing('a', 2)))).toEqual(['updated ns/a']);
    expect(types(cache.upsert(thing('a', 2)))).toEqual([]);
    expect(types(cache.upsert(thing('a', 1)))).toEqual([]);
    expect(cache.get({ namespace: 'ns', name: 'a' })?.metadata.resourceVersion).toBe('2');
  });

  it('keeps keys of cluster-scoped objects free of a namespace', () => {
    const cache = new ObjectCache<KubeObject>();
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', uid: 'u', resourceVersion: '1' } };
    expect(types(cache.upsert(node))).toEqual(['added n1']);
    expect(cache.getByKey('n1')).toEqual(node);
  });

  it('sees another uid under the same name as deletion and creation', () => {
    const cache = new ObjectCache<Thing>();
    cache.upsert(thing('a', 1));
    expect(types(cache.upsert(thing('a', 5, 'red', 'other')))).toEqual(['deleted ns/a', 'added ns/a']);
  });

  it('ignores the deletion of an object that was already replaced', () => {
    const cache = new ObjectCache<Thing>();
    cache.upsert(thing('a', 5, 'red', 'new'));
    expect(cache.remove(thing('a', 4, 'red', 'old'))).toEqual([]);
    expect(cache.size).toBe(1);
  });

  it('reports a deletion with the state that the server sent last', () => {
    const cache = new ObjectCache<Thing>();
    cache.upsert(thing('a', 1, 'red'));
    const [change] = cache.remove(thing('a', 2, 'blue'));
    expect(change).toMatchObject({ type: 'deleted', object: { team: 'blue' } });
    expect(change).not.toHaveProperty('lastKnown');
    expect(cache.remove(thing('a', 2))).toEqual([]);
  });

  it('reports exactly the differences when the whole state is replaced', () => {
    const cache = new ObjectCache<Thing>();
    cache.replace([thing('a', 1), thing('b', 1), thing('c', 1), thing('d', 1)]);
    const changes = cache.replace([thing('a', 1), thing('b', 2), thing('d', 3, 'red', 'again'), thing('e', 4)]);
    expect(types(changes)).toEqual(['updated ns/b', 'deleted ns/d', 'added ns/d', 'added ns/e', 'deleted ns/c']);
    expect(changes.at(-1)).toMatchObject({ lastKnown: true });
  });

  it('believes a replaced state even when its versions went back', () => {
    const cache = new ObjectCache<Thing>();
    cache.replace([thing('a', 9)]);
    expect(types(cache.replace([thing('a', 3)]))).toEqual(['updated ns/a']);
  });

  it('follows its indexes through every kind of change', () => {
    const cache = new ObjectCache<Thing>({ team: ({ team }) => [team] });
    const names = (team: string) => cache.byIndex('team', team).map(({ metadata }) => metadata.name);
    cache.replace([thing('a', 1, 'red'), thing('b', 1, 'blue')]);
    cache.upsert(thing('a', 2, 'blue'));
    expect([names('red'), names('blue')]).toEqual([[], ['b', 'a']]);
    cache.remove(thing('b', 3, 'blue'));
    cache.upsert(thing('a', 4, 'red', 'again'));
    expect([names('red'), names('blue')]).toEqual([['a'], []]);
    cache.replace([]);
    expect(names('red')).toEqual([]);
  });

  it('hands out copies, so that nobody changes what others see', () => {
    const cache = new ObjectCache<Thing>();
    cache.upsert(thing('a', 1));
    const mine = cache.getByKey('ns/a') as { team: string } | undefined;
    if (mine) mine.team = 'changed';
    expect(cache.getByKey('ns/a')?.team).toBe('red');
  });

  it('shows the old state with an update', () => {
    const cache = new ObjectCache<Thing>();
    cache.upsert(thing('a', 1, 'red'));
    expect(cache.upsert(thing('a', 2, 'blue'))).toMatchObject([{ old: { team: 'red' }, object: { team: 'blue' } }]);
  });

  it('fills an index that is added later, and refuses an unknown one', () => {
    const cache = new ObjectCache<Thing>();
    cache.upsert(thing('a', 1, 'red'));
    expect(() => cache.byIndex('team', 'red')).toThrow('team');
    cache.addIndex('team', ({ team }) => [team]);
    expect(cache.byIndex('team', 'red')).toHaveLength(1);
  });
});
