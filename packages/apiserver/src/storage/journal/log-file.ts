import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { FILE_MODE } from '../../files/modes.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { MAGIC } from './record.ts';

/** How a log file is written. */
export interface LogFileOptions {
  /** Whether each write waits for the disk. */
  readonly fsync: boolean;
  /** Default: that of Node. */
  readonly openFile?: OpenFile;
}

export type OpenFile = (path: string, flags: number, mode: number) => Promise<FileHandle>;

/** With less room than this, the next write would fail again. */
const ROOM = Buffer.alloc(64 * 1024);

/** A file that grows at its end. */
export class LogFile {
  readonly #file: FileHandle;
  readonly #fsync: boolean;
  #bytes: number;
  #isSound = true;

  private constructor(file: FileHandle, bytes: number, { fsync }: LogFileOptions) {
    this.#file = file;
    this.#bytes = bytes;
    this.#fsync = fsync;
  }

  /** Opens a file to go on after its first `bytes`, which are whole; what follows is cut off. Creates it when `bytes` is 0. */
  static async open(path: string, bytes: number, options: LogFileOptions): Promise<LogFile> {
    const { openFile = open } = options;
    const file = await openFile(path, constants.O_RDWR | constants.O_CREAT, FILE_MODE);
    try {
      await file.truncate(bytes);
      const log = new LogFile(file, bytes, options);
      if (bytes === 0) await log.append(MAGIC);
      await syncFolder(dirname(path));
      return log;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False after the disk has failed to take what the system had: nobody knows what is there then. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /**
   * Writes at the end. When it fails, the file is cut back to what it was, so that a write that was refused does not come
   * back after a restart.
   */
  async append(bytes: Buffer): Promise<void> {
    try {
      await this.#write(bytes);
      if (this.#fsync) await this.sync();
    } catch (error) {
      // Whether the cut succeeds changes nothing for the caller; it is made again before the next write.
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  /** Makes the file what it was before a write failed, and sees whether another would succeed. Rejects when not. */
  async repair(): Promise<void> {
    await this.#file.truncate(this.#bytes);
    try {
      await this.#write(ROOM);
    } finally {
      await this.#file.truncate(this.#bytes);
    }
  }

  /** Waits until the disk has everything. */
  async sync(): Promise<void> {
    try {
      await this.#file.datasync();
    } catch (error) {
      this.#isSound = false;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#bytes + written);
      written += bytesWritten;
    }
  }
}
