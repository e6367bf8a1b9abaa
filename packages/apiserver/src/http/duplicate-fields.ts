import { maxJsonDepth } from './json-syntax.ts';

/**
 * Paths of fields that occur twice in the same object of a JSON text, such as `spec.size`. The text must be valid JSON:
 * parsers keep the last of two fields without a word, so they have to be looked for separately. Texts that are nested
 * deeper than Kubernetes takes are not read to their end.
 */
export function duplicateFields(text: string): readonly string[] | 'too deep' {
  return new Scan(text).run();
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** One object or list that is open at the current position. */
interface Level {
  readonly parent: Level | undefined;
  readonly depth: number;
  /** Keys seen so far; undefined for lists. */
  readonly keys: Set<string> | undefined;
  index: number;
  key: string;
}

class Scan {
  readonly #text: string;
  readonly #found = new Set<string>();
  #level: Level | undefined;
  #expectsKey = false;

  constructor(text: string) {
    this.#text = text;
  }

  run(): readonly string[] | 'too deep' {
    for (let at = 0; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) at = this.#string(at);
      else this.#punctuation(code);
      if (this.#level !== undefined && this.#level.depth > maxJsonDepth) return 'too deep';
    }
    return [...this.#found];
  }

  /** Returns the position of the closing quote. */
  #string(start: number): number {
    let end = this.#text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    if (end === -1) return this.#text.length;
    const level = this.#level;
    if (!this.#expectsKey || !level?.keys) return end;
    const raw = this.#text.slice(start + 1, end);
    level.key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    if (level.keys.has(level.key)) this.#found.add(pathOf(level));
    level.keys.add(level.key);
    this.#expectsKey = false;
    return end;
  }

  #punctuation(code: number): void {
    switch (code) {
      case openBrace:
        this.#open(new Set());
        break;
      case openBracket:
        this.#open(undefined);
        break;
      case closeBrace:
      case closeBracket:
        this.#level = this.#level?.parent;
        this.#expectsKey = false;
        break;
      case comma:
        if (!this.#level) return;
        this.#level.index += 1;
        this.#expectsKey = this.#level.keys !== undefined;
        break;
    }
  }

  #open(keys: Set<string> | undefined): void {
    const parent = this.#level;
    this.#level = { parent, depth: (parent?.depth ?? 0) + 1, keys, index: 0, key: '' };
    this.#expectsKey = keys !== undefined;
  }
}

/** Whether an odd number of backslashes stands before the position. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before -= 1;
  return (at - before) % 2 === 1;
}

function pathOf(level: Level): string {
  const parent = level.parent ? pathOf(level.parent) : '';
  if (!level.keys) return `${parent}[${level.index}]`;
  return parent === '' ? level.key : `${parent}.${level.key}`;
}
