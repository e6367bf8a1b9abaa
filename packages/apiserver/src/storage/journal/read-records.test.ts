import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { StoredEntry } from '../stored-entry.ts';
import { scratchFolder } from '../testing/scratch-folder.ts';
import { type FileEnd, readRecords } from './read-records.ts';
import { encodeRecords, HEADER_BYTES, type JournalRecord, MAGIC } from './record.ts';

const put = (key: string, revision: number, json: string, labels?: Record<string, string>): JournalRecord => ({
  kind: 'put',
  entry: new StoredEntry('example.org/things', key, revision, json, labels),
});

const SOME: readonly JournalRecord[] = [
  { kind: 'opened', revision: 1 },
  put('n/a', 2, '{"text":"ünïcödé 🎉 \\u0000"}', { app: 'x', 'example.org/ä': '' }),
  put('/b', 3, '{}'),
  { kind: 'delete', bucket: 'example.org/things', key: 'n/a', revision: 4 },
  put('n/c', 2 ** 53 - 1, JSON.stringify({ filler: 'x'.repeat(300) })),
  { kind: 'closed', revision: 5 },
];

async function read(path: string, bytes: Buffer): Promise<FileEnd & { readonly records: readonly JournalRecord[] }> {
  await writeFile(path, bytes);
  const records: JournalRecord[] = [];
  const end = await readRecords(path, (record) => records.push(record));
  return { ...end, records };
}

const fileOf = (records: readonly JournalRecord[]) => Buffer.concat([MAGIC, encodeRecords(records)]);
const scratchFile = async () => join(await scratchFolder(), 'file');

describe('records in a file', () => {
  it('are read as they were written', async () => {
    const bytes = fileOf(SOME);

    expect(await read(await scratchFile(), bytes)).toEqual({ verdict: 'whole', bytes: bytes.length, records: SOME });
  });

  it('may be none', async () => {
    const path = await scratchFile();

    expect(await read(path, MAGIC)).toEqual({ verdict: 'whole', bytes: MAGIC.length, records: [] });
    expect(await read(path, Buffer.alloc(0))).toEqual({ verdict: 'torn', bytes: 0, records: [] });
  });

  it('may be larger than what is read at once, and lie across its borders', async () => {
    const sizes = [3_000_000, 10, 2_000_000, 9_000_000, 5, 4_194_304];
    const records = sizes.map((size, index) => put(`n/${index}`, index + 1, JSON.stringify('x'.repeat(size))));

    const result = await read(await scratchFile(), fileOf(records));

    expect(result.verdict).toBe('whole');
    expect(result.records.map((record) => record.kind === 'put' && record.entry.json.length)).toEqual(
      sizes.map((size) => size + 2),
    );
  });

  it('survive any content', async () => {
    const path = await scratchFile();
    const text = fc.string({ unit: 'grapheme' });
    const record = fc
      .record({
        key: text,
        revision: fc.nat(),
        value: text,
        labels: fc.option(fc.dictionary(text, text, { minKeys: 1 }), { nil: undefined }),
      })
      .map(({ key, revision, value, labels }) => put(key, revision, JSON.stringify(value), labels));
    await fc.assert(
      fc.asyncProperty(fc.array(record), async (records) => {
        expect(await read(path, fileOf(records))).toMatchObject({ verdict: 'whole', records });
      }),
      { numRuns: 50 },
    );
  });

  it('that were cut off anywhere are told from those before', async () => {
    const path = await scratchFile();
    const whole = fileOf(SOME);
    for (let length = 0; length < whole.length; length += 1) {
      const { verdict, bytes, records } = await read(path, whole.subarray(0, length));

      const isBoundary = length >= MAGIC.length && bytes === length;
      expect(verdict, `${length} bytes`).toBe(isBoundary ? 'whole' : 'torn');
      expect(records).toEqual(SOME.slice(0, records.length));
      expect(bytes).toBeLessThanOrEqual(length);
    }
  });

  it('are never taken for something else when a byte has changed', async () => {
    const path = await scratchFile();
    const whole = fileOf(SOME);
    for (let position = 0; position < whole.length; position += 1) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(position) ^ (1 << (position % 8)), position);

      const { verdict, records } = await read(path, changed);

      expect(verdict, `byte ${position}`).not.toBe('whole');
      expect(records).toEqual(SOME.slice(0, records.length));
    }
  });

  it('of a kind that a later version has invented are refused', async () => {
    const bytes = encodeRecords([{ kind: 'opened', revision: 1 }]);
    bytes.writeUInt8(200, HEADER_BYTES);
    bytes.writeUInt32LE(crc32(bytes.subarray(HEADER_BYTES)), 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 8)), 8);

    await expect(read(await scratchFile(), Buffer.concat([MAGIC, bytes]))).rejects.toMatchObject({
      code: 'KLUTCH_STORE_DAMAGED',
      message: expect.stringContaining('later version'),
    });
  });
});
