/** Characters that Go escapes by a letter or themselves. */
export const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Most strings need no escape; one test keeps them cheap. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** What Go calls printable: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** A string as Go's `%q` shows it. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const char of text) quoted += SHORT_ESCAPES[char] ?? (PRINTABLE.test(char) ? char : escaped(char));
  return `${quoted}"`;
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  // A lone surrogate is not valid UTF-8; Go would have seen the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
