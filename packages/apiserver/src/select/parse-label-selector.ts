import { badRequest } from '../status/status-error.ts';
import { labelSelector, type LabelSelector } from './label-selector.ts';
import { labelTokens, type Token } from './label-tokens.ts';
import { InvalidRequirement, keyProblem, type Operator, requirement, type Requirement } from './requirement.ts';

/** Reads a selector such as `a=b,c!=d,e in (x,y),!f`. Throws the 400 of Kubernetes for one it does not understand. */
export function parseLabelSelector(text: string): LabelSelector {
  return labelSelector(new Parser(labelTokens(text)).selector());
}

const OPERATORS: Partial<Record<Token['kind'], Operator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** The grammar of Kubernetes, with its idea of what is said when. */
class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  selector(): readonly Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#next().kind === 'end') return requirements;
    if (!this.#startsRequirement()) {
      throw badRequest(`found '${this.#next().text}', expected: !, identifier, or 'end of string'`);
    }
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      if (!this.#startsRequirement()) throw badRequest(`found '${this.#next().text}', expected: identifier after ','`);
    }
  }

  #requirement(): Requirement {
    try {
      return this.#readRequirement();
    } catch (error) {
      if (!(error instanceof InvalidRequirement)) throw error;
      throw badRequest(`unable to parse requirement: ${error.message}`);
    }
  }

  #readRequirement(): Requirement {
    const isNegated = this.#next().kind === '!';
    if (isNegated) this.#take();
    const key = this.#take();
    if (!isWord(key)) throw new InvalidRequirement(`found '${key.text}', expected: identifier`);
    const problem = keyProblem(key.text);
    if (problem) throw new InvalidRequirement(problem);
    if (isNegated) return requirement(key.text, '!', []);
    if (this.#next().kind === 'end' || this.#next().kind === ',') return requirement(key.text, 'exists', []);

    const token = this.#take();
    const operator = OPERATORS[token.kind];
    if (!operator) throw new InvalidRequirement(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    const values = operator === 'in' || operator === 'notin' ? this.#valueList() : [this.#value()];
    return requirement(key.text, operator, [...new Set(values)].sort());
  }

  #value(): string {
    const { kind } = this.#next();
    if (kind === 'end' || kind === ',') return '';
    const value = this.#take();
    if (!isWord(value)) throw new InvalidRequirement(`found '${value.text}', expected: identifier`);
    return value.text;
  }

  /** `(x,y)`; nothing between commas is the empty value. */
  #valueList(): readonly string[] {
    const open = this.#take();
    if (open.kind !== '(') throw new InvalidRequirement(`found '${open.text}' expected: '('`);
    const first = this.#next();
    if (!isWord(first) && first.kind !== ',' && first.kind !== ')') {
      throw new InvalidRequirement(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values: string[] = [];
    for (;;) {
      values.push(this.#listedValue());
      const separator = this.#take();
      if (separator.kind === ')') return values;
      if (separator.kind === ',') continue;
      const expected = values.at(-1) === '' ? "',', or identifier" : "',' or ')'";
      throw new InvalidRequirement(`found '${separator.text}', expected: ${expected}`);
    }
  }

  #listedValue(): string {
    return isWord(this.#next()) ? this.#take().text : '';
  }

  #startsRequirement(): boolean {
    return this.#next().kind === '!' || isWord(this.#next());
  }

  #next(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#next();
    this.#position += 1;
    return token;
  }
}

function isWord({ kind }: Token): boolean {
  return kind === 'word' || kind === 'in' || kind === 'notin';
}
