import type { Readable } from 'node:stream';

const newline = 0x0a;

/**
 * Splits a byte stream into lines. A last line without its newline was cut off and is not reported. `onBytes` is called
 * for every piece that arrives, whole line or not.
 */
export async function* lines(body: Readable, onBytes: () => void = () => {}): AsyncIterable<string> {
  let rest: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    onBytes();
    let start = 0;
    let end = chunk.indexOf(newline);
    for (; end >= 0; end = chunk.indexOf(newline, start)) {
      const line = textUpTo(rest, chunk, start, end);
      rest = [];
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}

function textUpTo(rest: readonly Buffer[], chunk: Buffer, start: number, end: number): string {
  if (rest.length === 0) return chunk.toString('utf8', start, end);
  // A character may straddle two chunks, so bytes are joined before they become text.
  return Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
}
