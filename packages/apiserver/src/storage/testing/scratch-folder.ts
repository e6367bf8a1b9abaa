import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for the running test, removed after it. */
export async function scratchFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'klutch-store-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
