import type { Expr, ListExpr, MapExpr, Position } from './expr.ts';
import { NOWHERE, SyntaxIssue } from './issue.ts';
import { literalValue } from './literals.ts';
import { expandMacro } from './macros.ts';
import { type Token, tokenize } from './token.ts';

const MAX_LENGTH = 100_000;
const MAX_DEPTH = 250;

const RELATIONS = new Set(['<', '<=', '>', '>=', '==', '!=', 'in']);
const SUMS = new Set(['+', '-']);
const PRODUCTS = new Set(['*', '/', '%']);

/** Identifiers that the language keeps for itself. */
const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
/** Words that are no identifiers at all. */
const KEYWORDS = new Set(['true', 'false', 'null', 'in']);

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Parses an expression and expands its macros. Throws a {@link SyntaxIssue} about the first thing that is wrong. */
export function parse(source: string): Expr {
  const length = Array.from(source).length;
  if (length > MAX_LENGTH) {
    throw new SyntaxIssue(0, `expression code point size exceeds limit: size: ${length}, limit ${MAX_LENGTH}`);
  }
  return new Parser(tokenize(source)).start();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  start(): Expr {
    const expr = this.#expr();
    const extra = this.#peek();
    if (extra.kind === 'end') return expr;
    const isOnly = this.#tokens[this.#next + 1]?.kind === 'end';
    throw this.#error(`${isOnly ? 'extraneous' : 'mismatched'} input '${extra.text}' expecting <EOF>`);
  }

  #expr(): Expr {
    if (++this.#depth > MAX_DEPTH) throw new SyntaxIssue(NOWHERE, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    const condition = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
    const question = this.#accept('?');
    const result = question ? this.#conditional(condition, question.at) : condition;
    this.#depth--;
    return result;
  }

  #limitChain(links: number): void {
    if (links >= MAX_DEPTH) throw new SyntaxIssue(NOWHERE, 'max recursion depth exceeded');
  }

  #conditional(condition: Expr, at: Position): Expr {
    const yes = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()));
    if (!this.#accept(':')) throw this.#error(`mismatched input '${this.#peek().text}' expecting ':'`);
    return { kind: 'call', at, name: '_?_:_', target: undefined, args: [condition, yes, this.#expr()] };
  }

  /** A chain becomes a balanced tree, as flat as can be: rules may have thousands of members. */
  #logical(symbol: string, name: string, operand: () => Expr): Expr {
    const operands = [operand()];
    const places: Position[] = [];
    for (let op = this.#accept(symbol); op; op = this.#accept(symbol)) {
      places.push(op.at);
      operands.push(operand());
    }
    return balanced(name, operands, places);
  }

  #relation(): Expr {
    return this.#binary(RELATIONS, () => this.#binary(SUMS, () => this.#binary(PRODUCTS, () => this.#unary())));
  }

  #binary(operators: ReadonlySet<string>, operand: () => Expr): Expr {
    let left = operand();
    for (let links = 1; operators.has(this.#peek().text) && this.#isOperator(this.#peek()); links++) {
      this.#limitChain(links);
      const op = this.#take();
      left = call(op.at, op.text === 'in' ? '@in' : `_${op.text}_`, left, operand());
    }
    return left;
  }

  #isOperator = ({ kind, text }: Token) => kind === 'symbol' || text === 'in';

  #unary(): Expr {
    const first = this.#peek();
    if (first.text !== '!' && first.text !== '-') return this.#member();
    if (first.text === '-' && this.#isNumber(this.#tokens[this.#next + 1])) return this.#member();
    let count = 0;
    while (this.#accept(first.text)) count++;
    const mixed = first.text === '-' && this.#peek().text === '!';
    if (mixed) throw this.#error("no viable alternative at input '-!'");
    const operand = this.#member();
    return count % 2 === 0 ? operand : call(first.at, first.text === '!' ? '!_' : '-_', operand);
  }

  #isNumber = (token: Token | undefined) => token?.kind === 'int' || token?.kind === 'double';

  #member(): Expr {
    let expr = this.#primary();
    for (let links = 1; ; links++) {
      const op = this.#accept('.') ?? this.#accept('[');
      if (!op) return expr;
      this.#limitChain(links);
      expr = op.text === '.' ? this.#selection(expr, op.at) : this.#index(expr, op.at);
    }
  }

  #selection(operand: Expr, at: Position): Expr {
    const isOptional = this.#accept('?') !== undefined;
    const field = this.#peek();
    if (field.text !== 'in' && KEYWORDS.has(field.text))
      throw this.#error(`mismatched input '${field.text}' expecting IDENTIFIER`);
    if (field.kind !== 'ident' || KEYWORDS.has(field.text)) {
      throw this.#error(`no viable alternative at input '.${field.kind === 'end' ? '' : field.text}'`);
    }
    this.#take();
    if (isOptional) return call(at, '_?._', operand, { kind: 'literal', at: field.at, value: field.text });
    const open = this.#accept('(');
    if (!open) return { kind: 'select', at, operand, field: field.text, testOnly: false };
    const args = this.#args();
    return expandMacro({ kind: 'call', at: open.at, name: field.text, target: operand, args });
  }

  #index(operand: Expr, at: Position): Expr {
    const name = this.#accept('?') ? '_[?_]' : '_[_]';
    const index = this.#expr();
    this.#close(']');
    return call(at, name, operand, index);
  }

  #args(): Expr[] {
    const args: Expr[] = [];
    if (this.#accept(')')) return args;
    do args.push(this.#expr());
    while (this.#accept(','));
    this.#close(')');
    return args;
  }

  #primary(): Expr {
    const token = this.#take();
    switch (token.kind) {
      case 'int':
      case 'uint':
      case 'double':
      case 'string':
      case 'bytes':
        return { kind: 'literal', at: token.at, value: literalValue(token) };
      case 'ident':
        return this.#identifier(token, '');
      case 'end':
        return this.#refuse(token);
      case 'symbol':
        return this.#symbol(token);
    }
  }

  #symbol(token: Token): Expr {
    switch (token.text) {
      case '-':
        if (!this.#isNumber(this.#peek())) return this.#refuse(token);
        return { kind: 'literal', at: token.at, value: literalValue(this.#take(), '-') };
      case '.':
        return this.#identifier(this.#take(), '.');
      case '(': {
        const inner = this.#expr();
        this.#close(')');
        return inner;
      }
      case '[':
        return this.#list(token.at);
      case '{':
        return this.#map(token.at);
      default:
        return this.#refuse(token);
    }
  }

  #identifier(token: Token, dot: '' | '.'): Expr {
    if (token.kind !== 'ident' || token.text === 'in') return this.#refuse(token);
    if (token.text === 'true' || token.text === 'false')
      return { kind: 'literal', at: token.at, value: token.text === 'true' };
    if (token.text === 'null') return { kind: 'literal', at: token.at, value: null };
    if (RESERVED.has(token.text)) throw new SyntaxIssue(token.at, `reserved identifier: ${token.text}`);
    const name = dot + token.text;
    const open = this.#accept('(');
    if (!open) return this.#refuseMessage({ kind: 'ident', at: token.at, name });
    const args = this.#args();
    return expandMacro({ kind: 'call', at: open.at, name, target: undefined, args });
  }

  /** Messages (`Name{…}`) do not exist in schemas: their name is never declared. */
  #refuseMessage(ident: Expr & { kind: 'ident' }): Expr {
    const brace = this.#accept('{');
    if (brace) throw new SyntaxIssue(brace.at, `undeclared reference to '${ident.name}' (in container '')`);
    return ident;
  }

  #list(at: Position): ListExpr {
    const elements: { value: Expr; optional: boolean }[] = [];
    while (this.#peek().text !== ']' || this.#peek().kind !== 'symbol') {
      const optional = this.#accept('?') !== undefined;
      elements.push({ optional, value: this.#expr() });
      if (!this.#accept(',')) break;
    }
    if (!this.#accept(']')) throw this.#error(`mismatched input '${this.#peek().text}' expecting {']', ','}`);
    return { kind: 'list', at, elements };
  }

  #map(at: Position): MapExpr {
    const entries: { key: Expr; value: Expr; optional: boolean }[] = [];
    while (this.#peek().text !== '}' || this.#peek().kind !== 'symbol') {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expr();
      if (!this.#accept(':')) throw this.#error(`mismatched input '${this.#peek().text}' expecting ':'`);
      entries.push({ key, value: this.#expr(), optional });
      if (!this.#accept(',')) break;
    }
    if (!this.#accept('}')) throw this.#error(`mismatched input '${this.#peek().text}' expecting {'}', ','}`);
    return { kind: 'map', at, entries };
  }

  #refuse(token: Token): never {
    this.#next = this.#tokens.indexOf(token);
    const following = this.#tokens[this.#next + 1];
    const isSkippable = following !== undefined && (following.kind !== 'symbol' || '[{(.-!'.includes(following.text));
    const verb = token.kind === 'end' || !isSkippable || following.kind === 'end' ? 'mismatched' : 'extraneous';
    throw this.#error(`${verb} input '${token.text}' expecting ${OPERAND}`);
  }

  #close(symbol: string): void {
    if (!this.#accept(symbol)) throw this.#error(`missing '${symbol}' at '${this.#peek().text}'`);
  }

  #accept(symbol: string): Token | undefined {
    const token = this.#peek();
    return token.kind === 'symbol' && token.text === symbol ? this.#take() : undefined;
  }

  #peek(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1);
    if (!token) throw new Error('an expression has at least the token of its end');
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #error = (message: string) => new SyntaxIssue(this.#peek().at, `Syntax error: ${message}`);
}

const call = (at: Position, name: string, ...args: readonly Expr[]): Expr => ({
  kind: 'call',
  at,
  name,
  target: undefined,
  args,
});
/** Between every two operands stands the operator of that place. */
function balanced(name: string, operands: readonly Expr[], places: readonly Position[]): Expr {
  const [first] = operands;
  const middle = places.length >> 1;
  const at = places[middle];
  if (at === undefined) return first as Expr;
  return call(
    at,
    name,
    balanced(name, operands.slice(0, middle + 1), places.slice(0, middle)),
    balanced(name, operands.slice(middle + 1), places.slice(middle + 1)),
  );
}
