/**
 * Writes to a store as fast as it can and says what was acknowledged, until it is killed or refused.
 * Arguments: folder, number of objects, size of each, bytes of log after which a snapshot is due.
 */
import { writeSync } from 'node:fs';

import { openStore } from '../open-store.ts';
import type { Store } from '../types.ts';
import { stepOf } from './busy-step.ts';

const [dir = '', objects = '1', size = '100', snapshotAfterBytes = '100000'] = process.argv.slice(2);
// Synchronous, so that what is said reaches the reader even if the next instant is the last.
const say = (line: string) => writeSync(1, `${line}\n`);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

try {
  await work();
} catch (error) {
  say(`refused ${codeOf(error)}`);
  process.exitCode = 1;
}

async function work(): Promise<void> {
  const store = await openStore({ dir, snapshotAfterBytes: Number(snapshotAfterBytes) });
  say('open');
  const writers = Array.from({ length: Number(objects) }, (_, index) => writeForever(store, `n/${index}`));
  try {
    await Promise.all(writers);
  } finally {
    await Promise.allSettled(writers);
    say(`memory ${JSON.stringify(store.scan('/things').map(({ key, revision }) => [key, revision]))}`);
    await store.close();
  }
}

async function writeForever(store: Store, key: string): Promise<void> {
  const current = store.get('/things', key)?.object()['step'];
  for (let step = typeof current === 'number' ? current + 1 : 0; ; step += 1) {
    const object = stepOf(key, step, Number(size));
    const entry = await store.commit({ bucket: '/things', key, object });
    say(`ack ${key} ${step} ${entry?.revision}`);
  }
}
