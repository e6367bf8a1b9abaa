import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files of a store's folder. A snapshot holds what was there before the log of the same generation started; without
 * one, the logs are the whole story.
 */
export interface FolderContent {
  readonly snapshot: number | undefined;
  /** Generations of the logs to replay after the snapshot, in order. */
  readonly logs: readonly number[];
  /** Names of files that a crash left behind and nobody needs. */
  readonly leftovers: readonly string[];
}

export const logPath = (dir: string, generation: number) => join(dir, `log-${padded(generation)}`);
export const snapshotPath = (dir: string, generation: number) => join(dir, `snapshot-${padded(generation)}`);
export const unfinishedSnapshotPath = (dir: string, generation: number) => `${snapshotPath(dir, generation)}.tmp`;

/** Looks at what is in a folder. */
export async function readFolder(dir: string): Promise<FolderContent> {
  const names = await readdir(dir);
  const generationsOf = (kind: 'log' | 'snapshot') =>
    names
      .map((name) => new RegExp(`^${kind}-(\\d+)$`).exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  const snapshots = generationsOf('snapshot');
  const snapshot = snapshots.at(-1);
  const since = snapshot ?? 0;
  const logs = generationsOf('log');
  return {
    snapshot,
    logs: logs.filter((generation) => generation >= since),
    leftovers: [
      ...names.filter((name) => /^snapshot-\d+\.tmp$/.test(name)),
      ...snapshots.slice(0, -1).map((generation) => `snapshot-${padded(generation)}`),
      ...logs.filter((generation) => generation < since).map((generation) => `log-${padded(generation)}`),
    ],
  };
}

function padded(generation: number): string {
  return String(generation).padStart(8, '0');
}
