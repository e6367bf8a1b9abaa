/** A piece of a label selector. `in` and `notin` are words that can be operators, depending on where they stand. */
export interface Token {
  readonly kind: 'word' | 'in' | 'notin' | '=' | '==' | '!=' | '!' | '(' | ')' | ',' | '>' | '<' | 'end';
  readonly text: string;
}

const SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'] as const;
const SPACE = /[ \t\r\n]/;
const ENDS_WORD = /[=!(),<> \t\r\n\0]/;

/** Splits a label selector; the last token is `end`. A zero byte after a token is skipped, any other ends the selector. */
export function labelTokens(selector: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    while (SPACE.test(selector.charAt(position))) position += 1;
    const first = selector.charAt(position);
    if (first === '' || first === '\0') return [...tokens, { kind: 'end', text: '' }];
    const symbol = SYMBOLS.find((text) => selector.startsWith(text, position));
    const token = symbol ? { kind: symbol, text: symbol } : wordAt(selector, position);
    tokens.push(token);
    position += token.text.length;
    if (selector.charAt(position) === '\0') position += 1;
  }
}

function wordAt(selector: string, start: number): Token {
  let end = start;
  while (end < selector.length && !ENDS_WORD.test(selector.charAt(end))) end += 1;
  const text = selector.slice(start, end);
  return { kind: text === 'in' || text === 'notin' ? text : 'word', text };
}
