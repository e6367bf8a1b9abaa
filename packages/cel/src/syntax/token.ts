import type { Position } from './expr.ts';
import { SyntaxIssue } from './issue.ts';

export type TokenKind = 'ident' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: Position;
}

const BLANKS = /(?:[\t \r\n\f]|\/\/[^\n]*)*/y;

const QUOTES = [
  '"""(?:\\\\[^]|(?!""")[^\\\\])*"""',
  "'''(?:\\\\[^]|(?!''')[^\\\\])*'''",
  '"(?:\\\\[^\\n\\r]|[^"\\\\\\n\\r])*"',
  "'(?:\\\\[^\\n\\r]|[^'\\\\\\n\\r])*'",
].join('|');
const RAW_QUOTES = ['"""[^]*?"""', "'''[^]*?'''", '"[^"\\n\\r]*"', "'[^'\\n\\r]*'"].join('|');
const STRING = `[rR](?:${RAW_QUOTES})|${QUOTES}`;

/** In the order in which they are tried; the longest reading comes first. */
const RULES: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', new RegExp(`[bB](?:${STRING})`, 'y')],
  ['string', new RegExp(STRING, 'y')],
  ['double', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['ident', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['symbol', /==|!=|<=|>=|&&|\|\||[[\]{}().,?:+\-*/%<>!]/y],
];

/** Splits an expression into tokens; the last one marks the end. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = skipBlanks(source, 0);
  while (at < source.length) {
    const token = tokenAt(source, at);
    tokens.push(token);
    at = skipBlanks(source, at + token.text.length);
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length });
  return tokens;
}

function skipBlanks(source: string, at: Position): Position {
  BLANKS.lastIndex = at;
  return at + (BLANKS.exec(source)?.[0].length ?? 0);
}

function tokenAt(source: string, at: Position): Token {
  for (const [kind, rule] of RULES) {
    rule.lastIndex = at;
    const found = rule.exec(source);
    if (found) return { kind, text: found[0], at };
  }
  throw new SyntaxIssue(at, `Syntax error: token recognition error at: '${unreadable(source, at)}'`);
}

/** A string that does not end swallows the rest of its line. */
function unreadable(source: string, at: Position): string {
  const char = source.charAt(at);
  return char === '"' || char === "'" ? (source.slice(at).split(/[\n\r]/)[0] ?? char) : char;
}
