import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { StorageError } from '../storage-error.ts';
import type { Entry } from '../types.ts';
import { logPath, readFolder, snapshotPath } from './folder.ts';
import type { JournalRecord } from './record.ts';
import { type FileEnd, readRecords } from './read-records.ts';

/** Takes in what a folder holds, in the order it was written. */
export interface Recipient {
  put(entry: Entry): void;
  remove(bucket: string, key: string): void;
}

/** Where a folder's last store left off. */
export interface Recovered {
  /** Of the latest record; 0 for an empty folder. */
  readonly revision: number;
  /** Whether the last store was closed in order, so that nobody can have seen a revision after this one. */
  readonly closedInOrder: boolean;
  readonly generation: number;
  /** Size of the whole part of the log of this generation. */
  readonly logBytes: number;
  readonly snapshotBytes: number;
}

/** Reads a folder, and removes files that a crash left behind. */
export async function recover(dir: string, recipient: Recipient): Promise<Recovered> {
  const { snapshot, logs, leftovers } = await readFolder(dir);
  requireUnbroken(dir, snapshot, logs);
  const reader = new RecordReader(recipient);

  let snapshotBytes = 0;
  if (snapshot !== undefined) {
    const path = snapshotPath(dir, snapshot);
    const end = await readRecords(path, reader.take);
    if (end.verdict !== 'whole' || reader.lastKind !== 'complete') throw damaged(path, end);
    snapshotBytes = end.bytes;
  }
  let logBytes = 0;
  for (const generation of logs) {
    const path = logPath(dir, generation);
    const end = await readRecords(path, reader.take);
    const isLast = generation === logs.at(-1);
    if (end.verdict === 'damaged' || (end.verdict === 'torn' && !isLast)) throw damaged(path, end);
    logBytes = end.bytes;
  }
  for (const name of leftovers) await rm(join(dir, name), { force: true });
  const isNew = snapshot === undefined && reader.lastKind === undefined;
  return {
    revision: reader.revision,
    closedInOrder: isNew || reader.lastKind === 'closed',
    generation: logs.at(-1) ?? snapshot ?? 1,
    logBytes,
    snapshotBytes,
  };
}

class RecordReader {
  revision = 0;
  lastKind: JournalRecord['kind'] | undefined;
  readonly take: (record: JournalRecord) => void;

  constructor(recipient: Recipient) {
    this.take = (record) => {
      this.lastKind = record.kind;
      const revision = record.kind === 'put' ? record.entry.revision : record.revision;
      this.revision = Math.max(this.revision, revision);
      if (record.kind === 'put') recipient.put(record.entry);
      if (record.kind === 'delete') recipient.remove(record.bucket, record.key);
    };
  }
}

function requireUnbroken(dir: string, snapshot: number | undefined, logs: readonly number[]): void {
  const first = snapshot ?? 1;
  const missing = logs.findIndex((generation, index) => generation !== first + index);
  if (missing === -1) return;
  throw new StorageError(
    'KLUTCH_STORE_DAMAGED',
    `${logPath(dir, first + missing)} is missing, so what was stored cannot be put together; restore it from a copy, or ` +
      'remove the folder to start empty',
  );
}

function damaged(path: string, end: FileEnd): StorageError {
  return new StorageError(
    'KLUTCH_STORE_DAMAGED',
    `${path} is damaged after byte ${end.bytes}; restore it from a copy, or remove its folder to start empty`,
  );
}
