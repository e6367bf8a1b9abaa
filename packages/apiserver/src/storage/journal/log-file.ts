import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

import { FILE_MODE } from '../../files/modes.ts';
import { syncFolder } from './folder.ts';
import { MAGIC } from './record.ts';

/** How a log file is written. */
export interface LogFileOptions {
  /** Whether each write waits for the disk. */
  readonly fsync: boolean;
}

/** A file that grows at its end. */
export class LogFile {
  readonly #file: FileHandle;
  readonly #fsync: boolean;
  #bytes: number;

  private constructor(file: FileHandle, bytes: number, { fsync }: LogFileOptions) {
    this.#file = file;
    this.#bytes = bytes;
    this.#fsync = fsync;
  }

  /** Opens a file to go on after its first `bytes`, which are whole; what follows is cut off. Creates it when `bytes` is 0. */
  static async open(path: string, bytes: number, options: LogFileOptions): Promise<LogFile> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, FILE_MODE);
    try {
      await file.truncate(bytes);
      const log = new LogFile(file, bytes, options);
      if (bytes === 0) await log.append(MAGIC);
      if (options.fsync) await syncFolder(dirname(path));
      return log;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Writes at the end. When it fails, the file is cut back to what it was, so that a write that was refused does not come
   * back after a restart.
   */
  async append(bytes: Buffer): Promise<void> {
    try {
      await this.#write(bytes);
      if (this.#fsync) await this.#file.datasync();
    } catch (error) {
      // Whether the cut succeeds changes nothing for the caller, who has to give up on this file either way.
      await this.#file.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
    this.#bytes += bytes.length;
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
