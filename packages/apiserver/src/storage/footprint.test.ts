import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';

import { openStore } from './open-store.ts';
import { scratchFolder } from './testing/scratch-folder.ts';
import type { Store } from './types.ts';

const OBJECTS = 10_000;
const OBJECT_BYTES = 3_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function bytesInUse(): Promise<number> {
  // Memory of buffers is given back in a later turn.
  for (let turn = 0; turn < 3; turn += 1) {
    collectGarbage();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function fill(store: Store): Promise<void> {
  for (let index = 0; index < OBJECTS; index += 1) {
    const isLastOfBatch = index % 500 === 499;
    const name = `object-${index}`;
    const labels = { app: `app-${index % 50}`, 'example.org/tier': 'backend' };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', labels }, data: {} };
    const filler = 'x'.repeat(OBJECT_BYTES - JSON.stringify(object).length);
    const written = store.commit({ bucket: '/configmaps', key: `n/${name}`, object: { ...object, data: { filler } } });
    if (isLastOfBatch) await written;
  }
}

describe('the memory of a store', () => {
  it('is at most twice what its objects have as text, after writing and after reopening', async () => {
    const dir = await scratchFolder();
    const before = await bytesInUse();
    const store = await openStore({ dir });
    await fill(store);
    const written = ((await bytesInUse()) - before) / OBJECTS;
    expect(store.count('/configmaps')).toBe(OBJECTS);
    await store.close();

    const between = await bytesInUse();
    const reopened = await openStore({ dir });
    const loaded = ((await bytesInUse()) - between) / OBJECTS;
    expect(reopened.count('/configmaps')).toBe(OBJECTS);
    await reopened.close();

    expect(written).toBeLessThan(2 * OBJECT_BYTES);
    expect(loaded).toBeLessThan(2 * OBJECT_BYTES);
  }, 60_000);

  it('does not grow with the number of writes to the same objects', async () => {
    const store = await openStore({ historyLimit: { events: 1_000 } });
    const rewrite = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        const metadata = { name: 'a', namespace: 'n' };
        const object = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata,
          data: { filler: `${time} ${'x'.repeat(3_000)}` },
        };
        await store.commit({ bucket: '/configmaps', key: 'n/a', object });
      }
    };
    await rewrite(2_000);
    const before = await bytesInUse();

    await rewrite(10_000);

    expect((await bytesInUse()) - before).toBeLessThan(3_000_000);
    expect(store.count('/configmaps')).toBe(1);
  }, 60_000);
});
