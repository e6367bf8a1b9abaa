import { badRequest, type StatusError } from '../status/status-error.ts';

/** One condition of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Reads a selector such as `metadata.name=a,status.phase!=Active`. In values, `\` goes before `\`, `,` and `=`.
 * Throws the 400 of Kubernetes for one it does not understand.
 */
export function parseFieldTerms(selector: string): readonly FieldTerm[] {
  return splitTerms(selector)
    .sort()
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, selector))
    .filter(({ field, value }) => field !== '' || value !== '');
}

/** A term as a client would write it. */
export function fieldTermText({ field, operator, value }: FieldTerm): string {
  return `${field}${operator}${value.replaceAll(/[\\,=]/g, '\\$&')}`;
}

function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < selector.length; index += 1) {
    if (selector.charAt(index) === '\\') index += 1;
    else if (selector.charAt(index) === ',') {
      terms.push(selector.slice(start, index));
      start = index + 1;
    }
  }
  return [...terms, selector.slice(start)];
}

function parseTerm(term: string, selector: string): FieldTerm {
  const [operator] = /!=|==|=/.exec(term) ?? [];
  if (operator === undefined) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const at = term.indexOf(operator);
  return {
    field: term.slice(0, at),
    operator: operator === '!=' ? '!=' : '=',
    value: unescaped(term.slice(at + operator.length)),
  };
}

function unescaped(text: string): string {
  let value = '';
  let isEscaped = false;
  for (const character of text) {
    const isSpecial = character === '\\' || character === ',' || character === '=';
    if (isEscaped && !isSpecial) throw invalidEscape(character);
    if (!isEscaped && isSpecial && character !== '\\') {
      // Kubernetes shows the number of the character, not the character.
      throw badRequest(`invalid field selector: unescaped character in value: ${character.codePointAt(0)}`);
    }
    isEscaped = !isEscaped && character === '\\';
    if (!isEscaped) value += character;
  }
  if (isEscaped) throw invalidEscape('');
  return value;
}

function invalidEscape(character: string): StatusError {
  return badRequest(`invalid field selector: invalid escape sequence: \\${character}`);
}
