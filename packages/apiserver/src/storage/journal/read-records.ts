import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { decodeBody, hasBatchStart, HEADER_BYTES, type JournalRecord, MAGIC, readHeader } from './record.ts';

/**
 * How a file ended. `torn`: the last write did not get through, as after a crash of the process or a power cut, which
 * leaves blocks of zeros where the disk had got nothing yet. `damaged`: something is not what was written. Everything
 * before `bytes` is whole.
 */
export interface FileEnd {
  readonly verdict: 'whole' | 'torn' | 'damaged';
  readonly bytes: number;
}

const CHUNK_BYTES = 4 * 1024 * 1024;

/** What a disk writes as a whole, at least. */
const BLOCK_BYTES = 512;

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
  let hasBatches = false;
  while (offset < size) {
    const head = await window.load(offset, HEADER_BYTES);
    if (head.length < HEADER_BYTES) return { verdict: 'torn', bytes: offset };
    const header = readHeader(head, 0);
    if (!header)
      return {
        verdict: await verdictOnLoss(window, { start: offset, end: size, after: offset, hasBatches }),
        bytes: offset,
      };

    const end = offset + HEADER_BYTES + header.bodyBytes;
    if (end > size) return { verdict: 'torn', bytes: offset };
    const body = await window.load(offset + HEADER_BYTES, header.bodyBytes);
    if (crc32(body) !== header.checksum) {
      return { verdict: await verdictOnLoss(window, { start: offset, end, after: end, hasBatches }), bytes: offset };
    }
    const record = decodeBody(body);
    hasBatches ||= record.kind === 'batch';
    onRecord(record);
    offset = end;
  }
  return { verdict: 'whole', bytes: offset };
}

interface Loss {
  /** The record that is not what was written. */
  readonly start: number;
  readonly end: number;
  /** Where the next record begins; its own start when that is not known. */
  readonly after: number;
  /** Whether beginnings of batches are marked: those of earlier versions are not. */
  readonly hasBatches: boolean;
}

/**
 * A record was torn when a block of it never reached the disk and no later batch did: a batch begins when the one before
 * it is safe. Where batches are not marked, nothing at all may come after it.
 */
async function verdictOnLoss(window: FileWindow, { start, end, after, hasBatches }: Loss): Promise<'torn' | 'damaged'> {
  if (!(await window.hasLostBlock(start, end))) return 'damaged';
  const rest = await window.rest(hasBatches ? start : after);
  const hasLater = hasBatches ? hasBatchStart(rest) : rest.some((byte) => byte !== 0);
  return hasLater ? 'damaged' : 'torn';
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
    if (offset >= this.#start && end <= this.#start + this.#bytes.length) return this.#view(offset, end);
    return this.#move(offset, end);
  }

  /** Whether one of the disk's blocks is all zeros, as far as it is in the range. */
  async hasLostBlock(start: number, end: number): Promise<boolean> {
    for (let at = start; at < end; ) {
      const next = Math.min(at - (at % BLOCK_BYTES) + BLOCK_BYTES, end);
      const block = await this.load(at, next - at);
      if (block.every((byte) => byte === 0)) return true;
      at = next;
    }
    return false;
  }

  /** Everything from an offset on. */
  async rest(offset: number): Promise<Buffer> {
    return this.load(offset, this.#size - offset);
  }

  #view(offset: number, end: number): Buffer {
    return this.#bytes.subarray(offset - this.#start, end - this.#start);
  }

  async #move(offset: number, end: number): Promise<Buffer> {
    const isAhead = offset >= this.#start;
    const kept = this.#bytes.subarray(
      isAhead ? Math.min(offset - this.#start, this.#bytes.length) : this.#bytes.length,
    );
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
