import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Entry } from '../types.ts';
import { FILE_MODE } from '../../files/modes.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import type { State } from './journal.ts';
import { encodeRecords, type JournalRecord, MAGIC } from './record.ts';

/** Small enough that encoding one does not hold up requests. */
const CHUNK_BYTES = 512 * 1024;

export interface SnapshotTarget {
  /** Where the snapshot is in the end; it appears there whole or not at all. */
  readonly path: string;
  /** Where it is while it is written. */
  readonly unfinishedPath: string;
}

/** Writes a state to a file in pieces. Returns its size. Leaves nothing behind when it fails or is aborted. */
export async function writeSnapshot(target: SnapshotTarget, state: State, signal: AbortSignal): Promise<number> {
  try {
    const bytes = await writeState(target.unfinishedPath, state, signal);
    await rename(target.unfinishedPath, target.path);
    await syncFolder(dirname(target.path));
    return bytes;
  } catch (error) {
    await rm(target.unfinishedPath, { force: true });
    throw error;
  }
}

async function writeState(path: string, { revision, entries }: State, signal: AbortSignal): Promise<number> {
  const file = await open(path, 'w', FILE_MODE);
  try {
    let bytes = 0;
    const write = async (buffer: Buffer) => {
      signal.throwIfAborted();
      await file.writeFile(buffer);
      bytes += buffer.length;
    };
    await write(MAGIC);
    for (const piece of pieces(entries)) await write(encodeRecords(piece));
    await write(encodeRecords([{ kind: 'complete', revision }]));
    // The logs it replaces are deleted next, so it has to be on the disk before.
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

function* pieces(entries: readonly Entry[]): Generator<JournalRecord[]> {
  let piece: JournalRecord[] = [];
  let length = 0;
  for (const entry of entries) {
    piece.push({ kind: 'put', entry });
    length += entry.json.length;
    if (length < CHUNK_BYTES) continue;
    yield piece;
    piece = [];
    length = 0;
  }
  yield piece;
}
