import type { Readable } from 'node:stream';

/** Reads a stream as UTF-8, at most `maxBytes` of it; the rest is discarded with the connection. */
export async function readText(body: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, Math.min(size, maxBytes));
}
