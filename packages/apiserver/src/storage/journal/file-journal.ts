import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { problemOf, StorageError } from '../storage-error.ts';
import type { StoredEvent } from '../types.ts';
import { logPath, readFolder, snapshotPath, unfinishedSnapshotPath } from './folder.ts';
import { type Journal, type JournalOwner, REVISIONS_PER_CRASH, type State } from './journal.ts';
import { LogFile, type LogFileOptions } from './log-file.ts';
import { encodeRecords, type JournalRecord } from './record.ts';
import type { Recovered } from './recover.ts';
import { writeSnapshot } from './write-snapshot.ts';

export interface FileJournalOptions extends LogFileOptions {
  readonly dir: string;
  /** A snapshot is due when the log has this many bytes and is larger than the last snapshot. */
  readonly snapshotAfterBytes: number;
  /** How long after a write that failed the next is tried. */
  readonly retryAfterMs: number;
  /** Told of a snapshot for which there is no room, and of writes that fail. */
  readonly onProblem: (error: StorageError) => void;
}

const BATCH_CHARACTERS = 4 * 1024 * 1024;

/**
 * Appends events to a log: all that come while a write is under way go into the next one together. From time to time a
 * new log is started and a snapshot of what went before replaces the old one.
 */
export class FileJournal implements Journal {
  readonly #options: FileJournalOptions;
  readonly #owner: JournalOwner;
  readonly #stopSnapshot = new AbortController();
  #log: LogFile;
  #generation: number;
  #durableRevision: number;
  #snapshotDueAt: number;
  #pending: StoredEvent[] = [];
  #writing: Promise<void> | undefined;
  #snapshotting: Promise<void> | undefined;
  #failed = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #retrying: Promise<void> | undefined;

  private constructor(
    options: FileJournalOptions,
    owner: JournalOwner,
    log: LogFile,
    recovered: Recovered,
    revision: number,
  ) {
    this.#options = options;
    this.#owner = owner;
    this.#log = log;
    this.#generation = recovered.generation;
    this.#durableRevision = revision;
    this.#snapshotDueAt = Math.max(options.snapshotAfterBytes, recovered.snapshotBytes);
  }

  /** Goes on where the folder's last store left off; `revision` is where the new one starts. */
  static async open(
    options: FileJournalOptions,
    owner: JournalOwner,
    recovered: Recovered,
    revision: number,
  ): Promise<FileJournal> {
    const path = logPath(options.dir, recovered.generation);
    let log: LogFile | undefined;
    try {
      log = await LogFile.open(path, recovered.logBytes, options);
      await log.append(encodeRecords([{ kind: 'opened', revision }]));
      return new FileJournal(options, owner, log, recovered, revision);
    } catch (error) {
      await log?.close();
      throw unusable(`${path} cannot be written: ${problemOf(error)}`, error);
    }
  }

  append(event: StoredEvent): void {
    this.#pending.push(event);
    this.#writing ??= this.#writeAll();
  }

  async close(): Promise<void> {
    this.#stopSnapshot.abort();
    clearTimeout(this.#retryTimer);
    await this.#retrying;
    clearTimeout(this.#retryTimer);
    await this.#writing;
    await this.#snapshotting;
    try {
      if (!this.#failed) await this.#log.append(encodeRecords([{ kind: 'closed', revision: this.#durableRevision }]));
    } catch (error) {
      // Everything is safe; the next store only has to assume a crash.
      this.#options.onProblem(
        unusable(`the log in ${this.#options.dir} could not be ended: ${problemOf(error)}`, error),
      );
    } finally {
      await this.#log.close();
    }
  }

  async #writeAll(): Promise<void> {
    try {
      // Whatever else this turn of the event loop writes goes along.
      await nextTurn();
      while (this.#pending.length > 0) {
        const batch = this.#takeBatch();
        const start = { kind: 'batch', revision: this.#durableRevision } as const;
        await this.#log.append(encodeRecords([start, ...batch.map(recordOf)]));
        this.#durableRevision = batch.at(-1)?.revision ?? this.#durableRevision;
        this.#owner.onDurable(this.#durableRevision);
        if (this.#log.bytes >= this.#snapshotDueAt && !this.#snapshotting) await this.#startSnapshot();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#writing = undefined;
    }
  }

  #takeBatch(): StoredEvent[] {
    let characters = 0;
    const end = this.#pending.findIndex(({ entry }) => {
      characters += entry.json.length;
      return characters > BATCH_CHARACTERS;
    });
    return this.#pending.splice(0, end === -1 ? this.#pending.length : end + 1);
  }

  #fail(error: unknown): void {
    this.#failed = true;
    this.#pending = [];
    const { isSound } = this.#log;
    const next = isSound
      ? 'reads go on, and so do writes as soon as the disk takes them'
      : 'nothing can be written until the problem is solved and the server started again';
    const message = `writing to ${logPath(this.#options.dir, this.#generation)} failed: ${problemOf(error)}; ${next}`;
    const failure = new StorageError('KLUTCH_STORE_FAILED', message, { cause: error });
    this.#owner.onFailure(failure);
    this.#options.onProblem(failure);
    if (isSound) this.#retryLater();
  }

  #retryLater(): void {
    this.#retryTimer = setTimeout(() => {
      this.#retrying = this.#retry();
    }, this.#options.retryAfterMs);
    this.#retryTimer.unref();
  }

  async #retry(): Promise<void> {
    const revision = this.#durableRevision + REVISIONS_PER_CRASH;
    try {
      await this.#log.repair();
      await this.#log.append(encodeRecords([{ kind: 'opened', revision }]));
    } catch {
      // The same problem as before, which its owner has been told of.
      if (this.#log.isSound) this.#retryLater();
      return;
    }
    this.#durableRevision = revision;
    this.#failed = false;
    this.#owner.onRecovery(revision);
  }

  /** Called between two writes, so what is captured is exactly what the logs up to the old one say. */
  async #startSnapshot(): Promise<void> {
    const { dir, onProblem } = this.#options;
    const next = this.#generation + 1;
    const old = this.#log;
    try {
      // Only the last log may be torn, so this one has to be on the disk before there is another.
      await old.sync();
      this.#log = await LogFile.open(logPath(dir, next), 0, this.#options);
    } catch (error) {
      this.#snapshotDueAt = old.bytes * 2;
      await rm(logPath(dir, next), { force: true }).catch(() => undefined);
      onProblem(unusable(`no new log could be started in ${dir}: ${problemOf(error)}; the old one goes on`, error));
      return;
    }
    this.#generation = next;
    this.#snapshotting = this.#snapshot(next, this.#owner.capture());
    await old.close();
  }

  async #snapshot(generation: number, state: State): Promise<void> {
    const { dir, snapshotAfterBytes, onProblem } = this.#options;
    const target = { path: snapshotPath(dir, generation), unfinishedPath: unfinishedSnapshotPath(dir, generation) };
    try {
      const bytes = await writeSnapshot(target, state, this.#stopSnapshot.signal);
      this.#snapshotDueAt = Math.max(snapshotAfterBytes, bytes);
      const { leftovers } = await readFolder(dir);
      for (const name of leftovers) await rm(join(dir, name), { force: true });
    } catch (error) {
      if (this.#stopSnapshot.signal.aborted) return;
      onProblem(
        unusable(`no snapshot could be written to ${dir}: ${problemOf(error)}; the logs are kept instead`, error),
      );
    } finally {
      this.#snapshotting = undefined;
    }
  }
}

function recordOf({ type, entry, revision }: StoredEvent): JournalRecord {
  if (type === 'DELETED') return { kind: 'delete', bucket: entry.bucket, key: entry.key, revision };
  return { kind: 'put', entry };
}

function unusable(message: string, cause: unknown): StorageError {
  return new StorageError('KLUTCH_STORE_UNUSABLE', message, { cause });
}
