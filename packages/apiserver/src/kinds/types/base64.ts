const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;
const LETTER = /[A-Za-z0-9+/]/;

/** Base64 as Go reads and rewrites it; line breaks within are ignored. */
export function readBase64(text: string): string | { readonly problem: string } {
  if (CANONICAL.test(text)) return text;
  const at = corruptAt(text);
  if (at !== undefined) return { problem: `illegal base64 data at input byte ${at}` };
  return Buffer.from(text, 'base64').toString('base64');
}

/** Where Go gives up on a text; undefined when it does not. */
function corruptAt(text: string): number | undefined {
  /** Position in the group of four, and in the text at which the group's letters began. */
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\n' || char === '\r') continue;
    if (LETTER.test(char)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (char !== '=' || inGroup < 2) return at;
    return corruptPadding(text, at, inGroup);
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

function corruptPadding(text: string, first: number, inGroup: number): number | undefined {
  let at = skipBreaks(text, first + 1);
  if (inGroup === 2) {
    if (at === text.length) return at;
    if (text.charAt(at) !== '=') return at - 1;
    at = skipBreaks(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === '\n' || text.charAt(at) === '\r') at++;
  return at;
}
