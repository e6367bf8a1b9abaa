import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for the test that calls it, removed with everything in it when that test ends. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-kube-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
