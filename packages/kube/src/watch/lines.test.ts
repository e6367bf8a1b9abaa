import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines } from './lines.ts';

async function collect(chunks: readonly Buffer[]): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines(Readable.from(chunks))) found.push(line);
  return found;
}

describe('lines', () => {
  it('gives back every line however the bytes were cut into chunks', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((line) => !line.includes('\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.array(fc.nat({ max: 200 })), async (expected, cuts) => {
        const bytes = Buffer.from(expected.map((line) => `${line}\n`).join(''));
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
        const wellFormed = expected.map((line) => Buffer.from(line).toString());
        expect(await collect(chunks.filter((chunk) => chunk.length > 0))).toEqual(wellFormed);
      }),
    );
  });

  it('does not report a last line that was cut off', async () => {
    expect(await collect([Buffer.from('{"a":1}\n{"b":')])).toEqual(['{"a":1}']);
  });

  it('tells of every piece that arrives, even in the middle of a line', async () => {
    let pieces = 0;
    const body = Readable.from([Buffer.from('{"a"'), Buffer.from(':1}\n')]);
    for await (const _ of lines(body, () => pieces++)) expect(pieces).toBe(2);
    expect(pieces).toBe(2);
  });
});
