import { expect, it } from 'vitest';
import { eventually } from '../testing/index.ts';
import { informerWorlds } from './world.fixture.ts';

const start = informerWorlds();

it('an informer shows the answer to an own write at once, and its subscribers hear of it once', async () => {
  const { informer, model, changes } = await start();
  await informer.synced;
  informer.learn(model.put('a', { size: 1 }));
  expect(informer.cache.getByKey('default/a')).toMatchObject({ spec: { size: 1 } });
  expect(informer.isAhead('default/a')).toBe(true);
  await eventually(() => !informer.isAhead('default/a'));
  const { uid } = informer.cache.getByKey('default/a')?.metadata ?? {};
  model.delete('a');
  informer.learnGone({ namespace: 'default', name: 'a' }, uid);
  expect(informer.cache.size).toBe(0);
  await eventually(() => !informer.isAhead('default/a'));
  expect(changes.map(({ type }) => type)).toEqual(['added', 'deleted']);
});
