import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { openStore } from './open-store.ts';
import { stepOf } from './testing/busy-step.ts';
import { bundleProgram, type Child, startChild } from './testing/child-program.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

const ROUNDS = 32;
const OBJECTS = 40;

/** Step that an object shows, undefined when it is deleted: after the last acknowledged write, and after the one under way. */
interface Allowed {
  readonly now: number | undefined;
  readonly next: number | undefined;
  readonly revision: number;
}

const shownBy = (key: string, step: number) => stepOf(key, step, 0)?.['step'] as number | undefined;

function collect(lines: readonly string[], allowed: Map<string, Allowed>): number {
  const acknowledged = lines.map((line) => line.split(' ')).filter(([word]) => word === 'ack');
  for (const [, key = '', step, revision] of acknowledged) {
    const next = shownBy(key, Number(step) + 1);
    allowed.set(key, { now: shownBy(key, Number(step)), next, revision: Number(revision) });
  }
  return acknowledged.length;
}

async function untilOpen(child: Child): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!child.lines.includes('open')) {
    if (performance.now() > deadline || child.process.exitCode !== null) throw new Error('the writer did not start');
    await delay(2);
  }
}

async function verify(dir: string, allowed: Map<string, Allowed>): Promise<void> {
  const store = await openStore({ dir });
  try {
    for (const [key, { now, next, revision }] of allowed) {
      const found = store.get('/things', key);
      const shown = found?.object()['step'] as number | undefined;
      expect([now, next], `step of ${key}`).toContain(shown);
      expect(store.revision, 'no revision is given twice').toBeGreaterThan(revision);
      // The writer starts over after a deletion.
      allowed.set(key, { now: shown, next: shownBy(key, shown === undefined ? 0 : shown + 1), revision });
    }
  } finally {
    await store.close();
  }
}

describe('a store whose process is killed', () => {
  it(`loses no acknowledged write in ${ROUNDS} kills at random times, some of them during a snapshot`, async () => {
    const dir = `${await scratchFolder()}/store`;
    const program = await bundleProgram(new URL('./testing/busy-writer.ts', import.meta.url), await scratchFolder());
    const allowed = new Map<string, Allowed>();
    let acknowledged = 0;
    let duringSnapshot = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      const child = startChild(process.execPath, [program, dir, String(OBJECTS), '2000', '60000']);
      await untilOpen(child);
      await delay(Math.random() * 60);
      child.process.kill('SIGKILL');
      await child.ended;
      acknowledged += collect(child.lines, allowed);
      if ((await readdir(dir)).some((name) => name.endsWith('.tmp'))) duringSnapshot += 1;
      await verify(dir, allowed);
    }

    expect(acknowledged).toBeGreaterThan(ROUNDS);
    expect(allowed.size).toBe(OBJECTS);
    expect(duringSnapshot).toBeGreaterThan(0);
  }, 120_000);
});
