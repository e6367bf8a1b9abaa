import { parseSloppyAddress } from './ip-address.ts';

// oxlint-disable no-control-regex -- addresses are defined by which control characters they exclude
/** Characters that need no quotes in an address. */
const ATOM = /[^\x00-\x20\x7f()<>[\]:;@\\,".]+(?:\.[^\x00-\x20\x7f()<>[\]:;@\\,".]+)*/y;
/** The same with dots anywhere, as display names may have them. */
const LOOSE_ATOM = /[^\x00-\x20\x7f()<>[\]:;@\\,"]+/y;
const QUOTED = /"(?:[^\x00-\x08\x0a-\x1f\x7f"\\]|\\[^\x00-\x08\x0a-\x1f\x7f])*"/y;
const LITERAL = /\[([^\x00-\x20\x7f[\]\\]*)\]/y;
// oxlint-enable no-control-regex
const BLANK = /[ \t]*/y;

/** An address as in a mail header: `a@b.example`, or `Name <a@b.example>`. */
export function isEmail(text: string): boolean {
  const reader = new Reader(text);
  reader.take(BLANK);
  return (reader.address() || (reader.displayName() && reader.angleAddress())) && reader.onlyCommentsLeft();
}

/** Reads a text from left to right; what cannot be read leaves the position as it was. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found[1] ?? found[0];
  }

  address(): boolean {
    const start = this.#at;
    this.take(BLANK);
    const local = this.take(QUOTED) ?? this.take(ATOM);
    if (local !== undefined && local !== '""' && this.#skip('@') && this.#domain()) return true;
    this.#at = start;
    return false;
  }

  displayName(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.#comments()) return false;
      this.take(BLANK);
      if (this.take(QUOTED) === undefined && this.take(LOOSE_ATOM) === undefined) return true;
    }
  }

  angleAddress(): boolean {
    return this.#skip('<') && this.address() && this.#skip('>');
  }

  onlyCommentsLeft(): boolean {
    return this.#comments() && this.#at === this.#text.length;
  }

  #domain(): boolean {
    this.take(BLANK);
    const literal = this.take(LITERAL);
    if (literal !== undefined) return parseSloppyAddress(literal) !== undefined;
    return this.take(ATOM) !== undefined;
  }

  #comments(): boolean {
    this.take(BLANK);
    while (this.#skip('(')) {
      if (!this.#commentEnd()) return false;
      this.take(BLANK);
    }
    return true;
  }

  #commentEnd(): boolean {
    let depth = 1;
    for (; depth > 0 && this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === '\\') this.#at++;
      else if (char === '(') depth++;
      else if (char === ')') depth--;
    }
    return depth === 0;
  }

  #skip(char: string): boolean {
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at++;
    return true;
  }
}
