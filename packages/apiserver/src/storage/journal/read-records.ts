import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { decodeBody, HEADER_BYTES, type JournalRecord, MAGIC, readHeader } from './record.ts';

/**
 * How a file ended. `torn`: the last write did not get through, as after a crash. `damaged`: something in the middle is
 * not what was written. Everything before `bytes` is whole.
 */
export interface FileEnd {
  readonly verdict: 'whole' | 'torn' | 'damaged';
  readonly bytes: number;
}

const CHUNK_BYTES = 4 * 1024 * 1024;

/** Hands over the records of a file in order, up to the first that is not whole. */
export async function readRecords(path: string, onRecord: (record: JournalRecord) => void): Promise<FileEnd> {
  const file = await open(path, 'r');
  try {
    return await readFrom(file, onRecord);
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle, onRecord: (record: JournalRecord) => void): Promise<FileEnd> {
  const { size } = await file.stat();
  const window = new FileWindow(file, size);
  const start = await window.load(0, MAGIC.length);
  if (!start.equals(MAGIC.subarray(0, start.length))) return { verdict: 'damaged', bytes: 0 };
  if (start.length < MAGIC.length) return { verdict: 'torn', bytes: 0 };

  let offset = MAGIC.length;
  while (offset < size) {
    const head = await window.load(offset, HEADER_BYTES);
    if (head.length < HEADER_BYTES) return { verdict: 'torn', bytes: offset };
    const header = readHeader(head, 0);
    if (!header) return { verdict: (await window.isZeroFrom(offset)) ? 'torn' : 'damaged', bytes: offset };

    const end = offset + HEADER_BYTES + header.bodyBytes;
    if (end > size) return { verdict: 'torn', bytes: offset };
    const body = await window.load(offset + HEADER_BYTES, header.bodyBytes);
    if (crc32(body) !== header.checksum) return { verdict: end === size ? 'torn' : 'damaged', bytes: offset };
    onRecord(decodeBody(body));
    offset = end;
  }
  return { verdict: 'whole', bytes: offset };
}

/** A part of a file in memory that moves forward. */
class FileWindow {
  readonly #file: FileHandle;
  readonly #size: number;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** The wanted bytes, fewer only at the end of the file. Valid until the next call. */
  load(offset: number, length: number): Buffer | Promise<Buffer> {
    const end = Math.min(offset + length, this.#size);
    if (end <= this.#start + this.#bytes.length) return this.#view(offset, end);
    return this.#move(offset, end);
  }

  async isZeroFrom(offset: number): Promise<boolean> {
    for (let at = offset; at < this.#size; at += CHUNK_BYTES) {
      const chunk = await this.load(at, CHUNK_BYTES);
      if (chunk.some((byte) => byte !== 0)) return false;
    }
    return true;
  }

  #view(offset: number, end: number): Buffer {
    return this.#bytes.subarray(offset - this.#start, end - this.#start);
  }

  async #move(offset: number, end: number): Promise<Buffer> {
    const kept = this.#bytes.subarray(Math.min(offset - this.#start, this.#bytes.length));
    const wanted = Math.min(Math.max(CHUNK_BYTES, end - offset), this.#size - offset);
    const bytes = Buffer.allocUnsafe(wanted);
    kept.copy(bytes);
    let filled = kept.length;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(bytes, filled, wanted - filled, offset + filled);
      if (bytesRead === 0)
        throw new Error(`the file ended at byte ${offset + filled} of ${this.#size} while it was read`);
      filled += bytesRead;
    }
    this.#bytes = bytes;
    this.#start = offset;
    return this.#view(offset, end);
  }
}
