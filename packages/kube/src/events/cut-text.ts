/** The text, or as much of its beginning as fits into `maxBytes` of UTF-8 together with an ellipsis. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes - ellipsisBytes;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${ellipsis}`;
}

const ellipsis = '…';
const ellipsisBytes = Buffer.byteLength(ellipsis);

function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
