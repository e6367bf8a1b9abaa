import { Uint } from '../values/uint.ts';
import type { CelValue } from '../values/value.ts';
import { SyntaxIssue } from './issue.ts';
import type { Token } from './token.ts';

/** The value of a token that is a literal; `sign` is the minus before a number. */
export function literalValue(token: Token, sign: '' | '-' = ''): CelValue {
  switch (token.kind) {
    case 'int':
      return intValue(token, sign);
    case 'uint':
      return uintValue(token);
    case 'double':
      return Number(sign + token.text);
    case 'string':
      return unquote(token.text, token);
    default:
      return bytesValue(token);
  }
}

function intValue(token: Token, sign: '' | '-'): bigint {
  const value = BigInt(token.text) * (sign === '-' ? -1n : 1n);
  if (BigInt.asIntN(64, value) !== value) throw new SyntaxIssue(token.at, 'invalid int literal');
  return value;
}

function uintValue(token: Token): Uint {
  const value = BigInt(token.text.slice(0, -1));
  if (BigInt.asUintN(64, value) !== value) throw new SyntaxIssue(token.at, 'invalid uint literal');
  return new Uint(value);
}

function bytesValue(token: Token): Uint8Array {
  // Escapes give single bytes; everything else stands for its UTF-8 form.
  const units = unquote(token.text.slice(1), token, true);
  return Uint8Array.from(
    Array.from(units).flatMap((unit) => BYTE_UNITS.get(unit) ?? [...new TextEncoder().encode(unit)]),
  );
}

/** Bytes written as escapes travel as private characters until the text is encoded. */
const BYTE_BASE = 0xf_0000;
const BYTE_UNITS = new Map(Array.from({ length: 256 }, (_, byte) => [String.fromCodePoint(BYTE_BASE + byte), [byte]]));

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

const ESCAPE = /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[^])/g;

function unquote(text: string, token: Token, isBytes = false): string {
  const isRaw = /^[rR]/.test(text);
  const quoted = isRaw ? text.slice(1) : text;
  const width = /^("""|''')/.test(quoted) ? 3 : 1;
  const body = quoted.slice(width, -width).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (isRaw) return body;
  return body.replace(ESCAPE, (whole, simple?: string, hex?: string, octal?: string, short?: string, long?: string) => {
    if (simple !== undefined) return SIMPLE[simple] ?? simple;
    if (hex !== undefined || octal !== undefined) {
      const code = hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16);
      return String.fromCodePoint(isBytes ? BYTE_BASE + code : code);
    }
    const code = Number.parseInt(short ?? long ?? '', 16);
    const isScalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (isScalar && !isBytes) return String.fromCodePoint(code);
    throw new SyntaxIssue(token.at, `Syntax error: token recognition error at: '${whole}'`);
  });
}
