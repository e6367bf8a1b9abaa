import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { LearningCache } from './learning-cache.ts';

const thing = (version: number | string, uid = 'one', name = 'a'): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { namespace: 'ns', name, uid, resourceVersion: String(version) },
});

const ref = { namespace: 'ns', name: 'a' };

/** A cache that has listed the given objects at version 10. */
function setup(...objects: UnknownObject[]) {
  const cache = new LearningCache<UnknownObject>();
  list(cache, 10, objects);
  const shown = () => {
    const { uid, resourceVersion } = cache.get(ref)?.metadata ?? {};
    return uid && `${uid}@${resourceVersion}`;
  };
  return { cache, shown };
}

function list(cache: LearningCache<UnknownObject>, version: number, objects: readonly UnknownObject[]) {
  const next = cache.replacing();
  for (const object of objects) next.put(object);
  return [...next.done(String(version))].map(({ type }) => type);
}

const types = (changes: readonly { readonly type: string }[]) => changes.map(({ type }) => type);

describe('a cache that learns from answers', () => {
  it('shows an own write at once, tells of it once, and forgets it when the watch has told it', () => {
    const { cache, shown } = setup(thing(5));
    expect(types(cache.learn(thing(12)))).toEqual(['updated']);
    expect([shown(), cache.isAhead('ns/a')]).toEqual(['one@12', true]);
    expect(cache.told('MODIFIED', thing(11))).toEqual([]);
    expect([shown(), cache.isAhead('ns/a')]).toEqual(['one@12', true]);
    expect(cache.told('MODIFIED', thing(12))).toEqual([]);
    expect([shown(), cache.unconfirmed]).toEqual(['one@12', 0]);
  });

  it('has own creations in its lists and indexes', () => {
    const { cache } = setup();
    cache.addIndex('uid', ({ metadata }) => [metadata.uid ?? '']);
    expect(types(cache.learn(thing(11)))).toEqual(['added']);
    expect([[...cache.keys()], cache.byIndex('uid', 'one').length]).toEqual([['ns/a'], 1]);
  });

  it.each<[string, UnknownObject]>([
    ['the watch has overtaken', thing(9)],
    ['has the version that is known', thing(10)],
    ['has a version that cannot be compared', thing('abc')],
  ])('does not believe an answer that %s', (_, answer) => {
    const { cache, shown } = setup(thing(10));
    expect(cache.learn(answer)).toEqual([]);
    expect([shown(), cache.unconfirmed]).toEqual(['one@10', 0]);
  });

  it('does not bring back an object whose deletion was told before the answer to its last write came', () => {
    const { cache, shown } = setup(thing(5));
    cache.told('MODIFIED', thing(11));
    cache.told('DELETED', thing(12));
    expect(cache.learn(thing(11))).toEqual([]);
    expect(shown()).toBeUndefined();
  });

  it('does not go back to the predecessor of an object that it created', () => {
    const { cache, shown } = setup(thing(5, 'old'));
    expect(types(cache.learn(thing(14, 'new')))).toEqual(['deleted', 'added']);
    expect(cache.told('MODIFIED', thing(12, 'old'))).toEqual([]);
    expect(cache.told('DELETED', thing(13, 'old'))).toEqual([]);
    expect(shown()).toBe('new@14');
    expect(cache.told('ADDED', thing(14, 'new'))).toEqual([]);
    expect(cache.unconfirmed).toBe(0);
  });

  it('of two answers believes the newer, in whatever order they come', () => {
    const { cache, shown } = setup();
    cache.learn(thing(14));
    expect(cache.learn(thing(12))).toEqual([]);
    expect(shown()).toBe('one@14');
  });

  it('shows what was deleted no more, whatever the watch still tells of it', () => {
    const { cache, shown } = setup(thing(5));
    expect(types(cache.learnGone(ref, 'one'))).toEqual(['deleted']);
    expect(cache.told('MODIFIED', thing(11))).toEqual([]);
    expect(cache.learn(thing(11))).toEqual([]);
    expect([shown(), cache.unconfirmed]).toEqual([undefined, 1]);
    expect(cache.told('DELETED', thing(12))).toEqual([]);
    expect(cache.unconfirmed).toBe(0);
  });

  it('shows at once what is made anew under the name of what is known to be gone, and nothing older', () => {
    const { cache, shown } = setup(thing(5));
    cache.learnGone(ref, 'one');
    expect(types(cache.learn(thing(13, 'two')))).toEqual(['added']);
    expect(types(cache.learn(thing(14, 'two')))).toEqual(['updated']);
    expect(cache.told('MODIFIED', thing(11))).toEqual([]);
    expect(cache.told('DELETED', thing(12))).toEqual([]);
    expect(cache.told('ADDED', thing(13, 'two'))).toEqual([]);
    expect(shown()).toBe('two@14');
    cache.told('MODIFIED', thing(14, 'two'));
    expect([shown(), cache.unconfirmed]).toEqual(['two@14', 0]);
  });

  it('shows no predecessor of what was deleted', () => {
    const { cache, shown } = setup();
    cache.learn(thing(11));
    cache.learnGone(ref, 'one');
    cache.learn(thing(13, 'two'));
    cache.learnGone(ref, 'two');
    for (const [type, object] of [
      ['ADDED', thing(11)],
      ['DELETED', thing(12)],
      ['ADDED', thing(13, 'two')],
    ] as const) {
      expect(cache.told(type, object)).toEqual([]);
      expect(shown()).toBeUndefined();
    }
    cache.told('DELETED', thing(14, 'two'));
    expect(cache.unconfirmed).toBe(0);
  });

  it('keeps nothing of a deletion of what it does not have', () => {
    const { cache } = setup(thing(5));
    expect(cache.learnGone(ref, 'other')).toEqual([]);
    expect(cache.unconfirmed).toBe(0);
  });

  it('shows the successor of what was deleted', () => {
    const { cache, shown } = setup(thing(5));
    cache.learnGone(ref, 'one');
    expect(types(cache.told('ADDED', thing(13, 'two')))).toEqual(['added']);
    expect([shown(), cache.unconfirmed]).toEqual(['two@13', 0]);
  });

  describe('and a list', () => {
    it('that is older than something that came and went does not bring it back', () => {
      const { cache, shown } = setup();
      const next = cache.replacing();
      cache.learn(thing(12));
      cache.learnGone(ref, 'one');
      expect([...next.done('11')]).toEqual([]);
      expect(cache.told('ADDED', thing(12))).toEqual([]);
      expect(shown()).toBeUndefined();
      cache.told('DELETED', thing(13));
      expect(cache.unconfirmed).toBe(0);
    });

    it('that began before an own write and is older leaves it alone', () => {
      const { cache, shown } = setup(thing(5), thing(6, 'two', 'b'));
      const next = cache.replacing();
      next.put(thing(5));
      next.put(thing(6, 'two', 'b'));
      cache.learn(thing(14));
      cache.learnGone({ namespace: 'ns', name: 'b' }, 'two');
      expect([...next.done('13')]).toEqual([]);
      expect([shown(), cache.hasKey('ns/b'), cache.unconfirmed]).toEqual(['one@14', false, 2]);
    });

    it('that began before an own write but is newer has the last word', () => {
      const { cache, shown } = setup(thing(5), thing(6, 'two', 'b'));
      const next = cache.replacing();
      cache.learn(thing(14));
      cache.learnGone({ namespace: 'ns', name: 'b' }, 'two');
      expect(types([...next.done('15')])).toEqual(['deleted']);
      expect([shown(), cache.unconfirmed]).toEqual([undefined, 0]);
    });

    it('that began after an own write has the last word even when it is older: the server was restored', () => {
      const { cache, shown } = setup(thing(5));
      cache.learn(thing(14));
      expect(list(cache, 7, [thing(5)])).toEqual(['updated']);
      expect([shown(), cache.unconfirmed]).toEqual(['one@5', 0]);
      expect(types(cache.learn(thing(8)))).toEqual(['updated']);
    });
  });
});
