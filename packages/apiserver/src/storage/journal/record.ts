import { crc32 } from 'node:zlib';

import { StorageError } from '../storage-error.ts';
import { StoredEntry } from '../stored-entry.ts';
import type { Entry } from '../types.ts';

/** One thing a log or snapshot says. */
export type JournalRecord =
  | { readonly kind: 'put'; readonly entry: Entry }
  | { readonly kind: 'delete'; readonly bucket: string; readonly key: string; readonly revision: number }
  /**
   * A store started to work here, or stopped in order; or a snapshot is complete; or everything before is acknowledged
   * and what follows was written at once.
   */
  | { readonly kind: 'opened' | 'closed' | 'complete' | 'batch'; readonly revision: number };

/** First bytes of every file, naming format and version. */
export const MAGIC = Buffer.from('KLUTCHS1');

/** Length of the body, checksum of the body, checksum of these two: a torn record can be told from a damaged one. */
export const HEADER_BYTES = 12;

/** Kind, revision, and the lengths of bucket, key and labels; JSON takes the rest. */
const FIXED_BYTES = 1 + 8 + 4 + 4 + 4;

const KINDS = ['put', 'delete', 'opened', 'closed', 'complete', 'batch'] as const;

/** The bytes of records, one after the other. */
export function encodeRecords(records: readonly JournalRecord[]): Buffer {
  const parts = records.map(partsOf);
  const total = parts.reduce((sum, { bodyBytes }) => sum + HEADER_BYTES + bodyBytes, 0);
  const target = Buffer.allocUnsafe(total);
  let offset = 0;
  for (const part of parts) offset = writeRecord(target, offset, part);
  return target;
}

/** Reads a record's body; the checksums have been compared. */
export function decodeBody(body: Buffer): JournalRecord {
  const kind = KINDS[body.readUInt8(0)];
  const revision = body.readDoubleLE(1);
  if (kind === undefined) {
    throw new StorageError(
      'KLUTCH_STORE_DAMAGED',
      'the stored files come from a later version of this program; use that one',
    );
  }
  if (kind !== 'put' && kind !== 'delete') return { kind, revision };

  const bucketEnd = FIXED_BYTES + body.readUInt32LE(9);
  const keyEnd = bucketEnd + body.readUInt32LE(13);
  const labelsEnd = keyEnd + body.readUInt32LE(17);
  const bucket = body.toString('utf8', FIXED_BYTES, bucketEnd);
  const key = body.toString('utf8', bucketEnd, keyEnd);
  if (kind === 'delete') return { kind, bucket, key, revision };

  const labels =
    labelsEnd === keyEnd ? undefined : (JSON.parse(body.toString('utf8', keyEnd, labelsEnd)) as Entry['labels']);
  const json = body.toString('utf8', labelsEnd);
  return { kind, entry: new StoredEntry(bucket, key, revision, json, labels) };
}

/** The header at an offset; undefined when it is not one. */
export function readHeader(bytes: Buffer, offset: number): { bodyBytes: number; checksum: number } | undefined {
  if (crc32(bytes.subarray(offset, offset + 8)) !== bytes.readUInt32LE(offset + 8)) return undefined;
  return { bodyBytes: bytes.readUInt32LE(offset), checksum: bytes.readUInt32LE(offset + 4) };
}

/**
 * Whether bytes contain the beginning of a batch. Nothing is written before the batch before it is acknowledged, so what
 * is damaged before a beginning was not torn by a crash.
 */
export function hasBatchStart(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(BATCH_LENGTH); at !== -1; at = bytes.indexOf(BATCH_LENGTH, at + 1)) {
    const body = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + FIXED_BYTES);
    if (body.length < FIXED_BYTES) return false;
    const isWhole = readHeader(bytes, at)?.checksum === crc32(body);
    if (isWhole && KINDS[body.readUInt8(0)] === 'batch') return true;
  }
  return false;
}

/** The first bytes of its header. */
const BATCH_LENGTH = Buffer.of(FIXED_BYTES, 0, 0, 0);

interface Parts {
  readonly kind: number;
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly labels: string;
  readonly json: string;
  readonly bodyBytes: number;
}

function partsOf(record: JournalRecord): Parts {
  const kind = KINDS.indexOf(record.kind);
  const { bucket, key, labels, json, revision } = textsOf(record);
  const bodyBytes = FIXED_BYTES + [bucket, key, labels, json].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { kind, revision, bucket, key, labels, json, bodyBytes };
}

function textsOf(record: JournalRecord): Omit<Parts, 'kind' | 'bodyBytes'> {
  if (record.kind === 'put') {
    const { bucket, key, labels, json, revision } = record.entry;
    return { bucket, key, labels: labels ? JSON.stringify(labels) : '', json, revision };
  }
  const { bucket, key } = record.kind === 'delete' ? record : { bucket: '', key: '' };
  return { bucket, key, labels: '', json: '', revision: record.revision };
}

function writeRecord(target: Buffer, start: number, parts: Parts): number {
  const body = start + HEADER_BYTES;
  const bucketStart = body + FIXED_BYTES;
  const keyStart = bucketStart + target.write(parts.bucket, bucketStart);
  const labelsStart = keyStart + target.write(parts.key, keyStart);
  const jsonStart = labelsStart + target.write(parts.labels, labelsStart);
  const end = jsonStart + target.write(parts.json, jsonStart);

  target.writeUInt8(parts.kind, body);
  target.writeDoubleLE(parts.revision, body + 1);
  target.writeUInt32LE(keyStart - bucketStart, body + 9);
  target.writeUInt32LE(labelsStart - keyStart, body + 13);
  target.writeUInt32LE(jsonStart - labelsStart, body + 17);

  target.writeUInt32LE(parts.bodyBytes, start);
  target.writeUInt32LE(crc32(target.subarray(body, end)), start + 4);
  target.writeUInt32LE(crc32(target.subarray(start, start + 8)), start + 8);
  return end;
}
