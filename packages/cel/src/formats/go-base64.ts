const DIGIT = /^[A-Za-z0-9_-]$/;

/** Where Go finds the first fault in a text that should be base64 for URLs, with padding; undefined when it is. */
export function corruptBase64Url(text: string): number | undefined {
  // Go counts bytes and skips line breaks.
  const bytes = Array.from(Buffer.from(text, 'utf8'), (byte) => String.fromCharCode(byte));
  const isBreak = (at: number) => bytes[at] === '\n' || bytes[at] === '\r';
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (isBreak(at)) continue;
    const byte = bytes[at] ?? '';
    if (DIGIT.test(byte)) digits = (digits + 1) % 4;
    else return byte === '=' && digits > 1 ? paddingFault(bytes, at, digits, isBreak) : at;
  }
  return digits === 0 ? undefined : bytes.length - digits;
}

/** What is wrong from the first `=` on. */
function paddingFault(
  bytes: readonly string[],
  first: number,
  digits: number,
  isBreak: (at: number) => boolean,
): number | undefined {
  let at = first + 1;
  const skipBreaks = () => {
    while (isBreak(at)) at++;
  };
  if (digits === 2) {
    skipBreaks();
    if (at === bytes.length) return bytes.length;
    if (bytes[at] !== '=') return at - 1;
    at++;
  }
  skipBreaks();
  return at < bytes.length ? at : undefined;
}
