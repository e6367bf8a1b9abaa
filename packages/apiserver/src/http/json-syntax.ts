import { maxDepth } from '../operations/depth.ts';

/**
 * What is wrong with a text that is no JSON, in the words of Go's decoder; undefined when nothing is. Slow, and meant for
 * texts that a parser has refused: it does not build anything.
 */
export function jsonSyntaxProblem(text: string): string | undefined {
  return new Scanner(Buffer.from(text)).run();
}

/** Deeper texts are refused before they exhaust a stack, which is shorter than Go's: there it is 10,000. */
export const maxJsonDepth = maxDepth;

class SyntaxProblem extends Error {}

const whitespace: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n']);
const escapes: ReadonlySet<string> = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't']);

class Scanner {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  run(): string | undefined {
    try {
      this.#skipSpace();
      this.#value();
      this.#skipSpace();
      if (this.#at < this.#bytes.length) throw this.#unexpected('after top-level value');
      return undefined;
    } catch (error) {
      if (error instanceof SyntaxProblem) return error.message;
      throw error;
    }
  }

  #next(): string {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new SyntaxProblem('unexpected end of JSON input');
    return String.fromCharCode(byte);
  }

  #unexpected(where: string): SyntaxProblem {
    return new SyntaxProblem(`invalid character ${quoted(this.#next())} ${where}`);
  }

  #skipSpace(): void {
    while (this.#at < this.#bytes.length && whitespace.has(this.#next())) this.#at += 1;
  }

  /** Reads one value and everything in it, without recursion: texts may be nested as deep as they are long. */
  #value(): void {
    const open: string[] = [];
    do {
      const isContainer = this.#begin(open);
      if (!isContainer) this.#end(open);
    } while (open.length > 0);
  }

  /** Reads a value up to where another one begins, inside it; whether there is one. */
  #begin(open: string[]): boolean {
    const first = this.#next();
    if (first === '{' || first === '[') return this.#open(open, first);
    if (first === '"') this.#string();
    else if (first === '-' || isDigit(first)) this.#number();
    else this.#literal(first);
    return false;
  }

  #open(open: string[], kind: '{' | '['): boolean {
    open.push(kind);
    if (open.length > maxJsonDepth) throw this.#unexpected('exceeded max depth');
    this.#at += 1;
    this.#skipSpace();
    if (this.#next() === closing(kind)) {
      this.#at += 1;
      open.pop();
      return false;
    }
    if (kind === '{') this.#key();
    return true;
  }

  /** Reads what follows a value: ends of what is around it, up to the next value in there. */
  #end(open: string[]): void {
    for (let kind = open.at(-1); kind !== undefined; kind = open.at(-1)) {
      this.#skipSpace();
      const next = this.#next();
      if (next !== closing(kind) && next !== ',') {
        throw this.#unexpected(kind === '{' ? 'after object key:value pair' : 'after array element');
      }
      this.#at += 1;
      if (next === ',') {
        this.#skipSpace();
        if (kind === '{') this.#key();
        return;
      }
      open.pop();
    }
  }

  #key(): void {
    if (this.#next() !== '"') throw this.#unexpected('looking for beginning of object key string');
    this.#string();
    this.#skipSpace();
    if (this.#next() !== ':') throw this.#unexpected('after object key');
    this.#at += 1;
    this.#skipSpace();
  }

  #string(): void {
    this.#at += 1;
    while (this.#next() !== '"') {
      if (this.#next() < ' ') throw this.#unexpected('in string literal');
      if (this.#next() === '\\') this.#escape();
      this.#at += 1;
    }
    this.#at += 1;
  }

  #escape(): void {
    this.#at += 1;
    if (escapes.has(this.#next())) return;
    if (this.#next() !== 'u') throw this.#unexpected('in string escape code');
    for (let digit = 0; digit < 4; digit++) {
      this.#at += 1;
      if (!/[0-9a-fA-F]/.test(this.#next())) throw this.#unexpected('in \\u hexadecimal character escape');
    }
  }

  #number(): void {
    if (this.#next() === '-') this.#at += 1;
    if (this.#next() === '0') this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#peek() === '.') {
      this.#at += 1;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#peek().toLowerCase() !== 'e') return;
    this.#at += 1;
    if (this.#next() === '+' || this.#next() === '-') this.#at += 1;
    this.#digits('in exponent of numeric literal');
  }

  #digits(where: string): void {
    if (!isDigit(this.#next())) throw this.#unexpected(where);
    while (isDigit(this.#peek())) this.#at += 1;
  }

  #literal(first: string): void {
    const word = ['true', 'false', 'null'].find((candidate) => candidate.startsWith(first));
    if (word === undefined) throw this.#unexpected('looking for beginning of value');
    for (const expected of word) {
      if (this.#next() !== expected) throw this.#unexpected(`in literal ${word} (expecting '${expected}')`);
      this.#at += 1;
    }
  }

  /** Empty at the end, which a number may be followed by. */
  #peek(): string {
    return this.#at < this.#bytes.length ? this.#next() : '';
  }
}

function closing(kind: string): string {
  return kind === '{' ? '}' : ']';
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1;
}

function quoted(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}
