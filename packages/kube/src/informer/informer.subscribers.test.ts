import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { eventually } from '../testing/index.ts';
import type { Change } from './change.ts';
import { informerWorlds } from './world.fixture.ts';

const start = informerWorlds();

const told = (changes: readonly Change<UnknownObject>[]) => changes.map(({ type, key }) => `${type} ${key}`);
const fill = (model: { put(name: string, spec: unknown): unknown }) => {
  for (const name of ['a', 'b', 'c']) model.put(name, {});
};

describe('subscribers of an informer', () => {
  it('that come during a delivery are told everything once', async () => {
    const { informer } = await start({}, {}, fill);
    const late: Change<UnknownObject>[] = [];
    let subscribed = false;
    informer.subscribe(() => {
      if (subscribed) return;
      subscribed = true;
      informer.subscribe((change) => late.push(change));
    });
    await informer.synced;
    expect(told(late)).toEqual(['added default/a', 'added default/b', 'added default/c']);
  });

  it('that come during the delivery of a deletion never hear of an object they did not know', async () => {
    const { informer, model } = await start({}, {}, fill);
    await informer.synced;
    const late: Change<UnknownObject>[] = [];
    informer.subscribe(({ type }) => {
      if (type === 'deleted') informer.subscribe((change) => late.push(change));
    });
    model.delete('a');
    await eventually(() => late.length >= 2);
    model.put('d', {});
    await eventually(() => informer.cache.size === 3);
    expect(told(late)).toEqual(['added default/b', 'added default/c', 'added default/d']);
  });

  it('that leave during a delivery hear nothing more', async () => {
    const { informer } = await start({}, {}, fill);
    const heard: Change<UnknownObject>[] = [];
    let leave = () => {};
    informer.subscribe(() => leave());
    leave = informer.subscribe((change) => heard.push(change));
    await informer.synced;
    expect(heard).toEqual([]);
  });

  it('that are the same function twice are two subscribers', async () => {
    const { informer, model } = await start({}, {}, fill);
    await informer.synced;
    const heard: string[] = [];
    const subscriber = ({ key }: Change<UnknownObject>) => void heard.push(key);
    const leave = informer.subscribe(subscriber);
    informer.subscribe(subscriber);
    expect(heard).toHaveLength(6);
    leave();
    leave();
    model.put('d', {});
    await eventually(() => informer.cache.size === 4);
    expect(heard.slice(6)).toEqual(['default/d']);
  });

  it('that come before or after the first sync are told the same', async () => {
    const world = await start({}, {}, fill);
    await world.informer.synced;
    const late: Change<UnknownObject>[] = [];
    world.informer.subscribe((change) => late.push(change));
    expect(told(late)).toEqual(told(world.changes));
  });
});

describe('functions given to an informer', () => {
  it('may throw for an object without harm to others', async () => {
    const errors: unknown[] = [];
    const specOf = (object: UnknownObject) => object['spec'] as { readonly team: { readonly name: string } };
    const { informer, model } = await start(
      {
        indexes: { team: (object) => [specOf(object).team.name] },
        trim: (object) => {
          if (object.metadata.name === 'untrimmable') throw new Error('cannot trim');
          return object;
        },
        onError: (error) => errors.push(error),
      },
      {},
      (model) => {
        model.put('good', { team: { name: 'red' } });
        model.put('bad', {});
      },
    );
    await informer.synced;
    expect(informer.cache.size).toBe(2);
    expect(informer.cache.byIndex('team', 'red')).toHaveLength(1);
    expect(errors).toHaveLength(1);
    informer.addIndex('other', (object) => [specOf(object).team.name]);
    expect(errors).toHaveLength(2);
    model.put('untrimmable', { team: { name: 'red' } });
    model.put('bad', { team: { name: 'red' } });
    await eventually(() => informer.cache.byIndex('team', 'red').length === 3);
    expect(errors).toHaveLength(3);
  });

  it('that throw are reported as a warning of the process when nobody wants to know', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const { informer } = await start({}, {}, fill);
    informer.subscribe(() => {
      throw new Error('bad subscriber');
    });
    expect(await warned).toMatchObject({ message: 'bad subscriber' });
  });
});
