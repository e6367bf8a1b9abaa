import { isBinding } from '../eval/plan.ts';
import { codePoints } from '../text/code-points.ts';
import { ACCUMULATOR } from '../syntax/macros.ts';
import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select } from '../syntax/expr.ts';
import type { Checked } from '../types/check.ts';
import { type CelType, DYN, unwrapOptional } from '../types/cel-type.ts';
import { LIST_CREATION, MAP_CREATION, REGEX_LENGTH, STRING_TRAVERSAL } from './factors.ts';
import { type CallCost, libraryCost } from './library-cost.ts';
import { declaredSize, type Operand, type Path, type Sizes } from './operand.ts';
import { covering, exactly, plus, type Range, scaled, sum, times, UNKNOWN } from './range.ts';

/** The most that an expression can cost, for data of these sizes: how Kubernetes keeps rules from slowing down the server. */
export function maxCost(checked: Checked, sizes: Sizes): number {
  return new Coster(checked, sizes).cost(checked.expr).max;
}

/** Sizes of the keys and values of a collection that an expression makes. */
interface EntrySizes {
  readonly isList: boolean;
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly name: string;
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const ONE = exactly(1);
const NONE = exactly(0);

class Coster {
  readonly #checked: Checked;
  readonly #declared: Sizes;
  readonly #paths = new Map<Expr, Path>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySizes>();
  readonly #locals: Local[] = [];

  constructor(checked: Checked, declared: Sizes) {
    this.#checked = checked;
    this.#declared = declared;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'literal':
        return NONE;
      case 'ident':
        this.#paths.set(expr, this.#local(expr)?.path ?? [expr.name.replace(/^\./, '')]);
        return ONE;
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return isBinding(expr) ? this.#binding(expr) : this.#loop(expr);
    }
  }

  #select(expr: Select): Range {
    if (this.#checked.references.has(expr)) {
      // A qualified name of a type, such as `net.IP`.
      this.#paths.set(expr, [expr.field]);
      return ONE;
    }
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
    const { kind } = this.#type(expr.operand);
    return kind === 'map' || kind === 'object' ? plus(operand, ONE) : operand;
  }

  #call(expr: Call): Range {
    const reference = this.#checked.references.get(expr);
    if (reference?.kind !== 'function') return NONE;
    if (reference.name === 'dyn') return this.#dyn(expr);
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#operand(arg));
    const isMember = expr.target !== undefined && !reference.isNamespaced;
    const targetCost = isMember && expr.target ? this.cost(expr.target) : NONE;
    const target = isMember && expr.target ? this.#operand(expr.target) : undefined;
    // Selecting an optional field is not the call of a function with overloads.
    const ids = reference.overloads.length === 0 ? ['select_optional_field'] : reference.overloads.map(({ id }) => id);

    let cost: Range = { min: Number.POSITIVE_INFINITY, max: 0 };
    let size: Range | undefined;
    for (const overload of ids) {
      const estimate = this.#overload(expr, reference.name, overload, { target, args, argCosts });
      cost = covering(cost, estimate.cost);
      if (estimate.size) size = size ? covering(size, estimate.size) : estimate.size;
      const [collection] = expr.args;
      if ((overload === 'index_list' || overload === 'index_map') && collection) {
        size = this.#entrySizes(collection)?.value;
        this.#paths.set(expr, [...this.#path(collection), overload === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#size(expr);
    }
    if (size) this.#sizes.set(expr, size);
    return plus(targetCost, cost);
  }

  #dyn(expr: Call): Range {
    const [arg] = expr.args;
    if (!arg) return ONE;
    const cost = plus(ONE, this.cost(arg));
    this.#copySizes(expr, arg);
    return cost;
  }

  #overload(
    expr: Call,
    name: string,
    overload: string,
    { target, args, argCosts }: { target: Operand | undefined; args: readonly Operand[]; argCosts: readonly Range[] },
  ): CallCost {
    const all = sum(argCosts);
    const fromLibrary = libraryCost({ name, overload, target, args, sizes: this.#declared });
    if (fromLibrary) return { ...fromLibrary, cost: plus(fromLibrary.cost, all) };
    const logical = this.#logical(expr, overload, args, argCosts);
    if (logical) return logical;
    const own = this.#operator(expr, overload, target, args);
    return { ...own, cost: plus(own.cost, all) };
  }

  #logical(expr: Call, overload: string, args: readonly Operand[], argCosts: readonly Range[]): CallCost | undefined {
    const [first = NONE, second = NONE, third = NONE] = argCosts;
    if (overload === 'logical_and' || overload === 'logical_or')
      return { cost: { min: first.min, max: plus(first, second).max } };
    if (overload !== 'conditional') return undefined;
    const [, yes, no] = args;
    this.#setEntries(expr, united(yes?.expr && this.#entrySizes(yes.expr), no?.expr && this.#entrySizes(no.expr)));
    return { cost: plus(first, covering(second, third)), size: covering(yes?.size ?? UNKNOWN, no?.size ?? UNKNOWN) };
  }

  #operator(expr: Call, overload: string, target: Operand | undefined, [first, second]: readonly Operand[]): CallCost {
    const left = first?.size ?? UNKNOWN;
    const right = second?.size ?? UNKNOWN;
    const receiver = target?.size ?? UNKNOWN;
    switch (overload) {
      case 'string_format':
        return { cost: scaled(receiver, STRING_TRAVERSAL) };
      case 'string_to_bytes':
        return { cost: scaled(left, STRING_TRAVERSAL), size: { min: left.min, max: left.max * 4 } };
      case 'bytes_to_string':
        return { cost: scaled(left, STRING_TRAVERSAL), size: { min: Math.floor(left.min / 4), max: left.max } };
      case 'strings_quote':
        return { cost: scaled(left, STRING_TRAVERSAL), size: { min: left.min + 2, max: left.max * 2 + 2 } };
      case 'starts_with_string':
      case 'ends_with_string':
        return { cost: scaled(left, STRING_TRAVERSAL) };
      case 'in_list':
        return { cost: right };
      case 'matches_string':
        return { cost: times(scaled(plus(receiver, ONE), STRING_TRAVERSAL), scaled(left, REGEX_LENGTH)) };
      case 'contains_string':
        return { cost: times(scaled(receiver, STRING_TRAVERSAL), scaled(left, STRING_TRAVERSAL)) };
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        return this.#concatenation(expr, overload, first, second);
      default:
        return { cost: isComparison(overload) ? compared(left, right) : ONE };
    }
  }

  #concatenation(expr: Call, overload: string, first: Operand | undefined, second: Operand | undefined): CallCost {
    const size = plus(first?.size ?? UNKNOWN, second?.size ?? UNKNOWN);
    this.#setEntries(
      expr,
      united(first?.expr && this.#entrySizes(first.expr), second?.expr && this.#entrySizes(second.expr)),
    );
    return { cost: overload === 'add_list' ? ONE : scaled(size, STRING_TRAVERSAL), size };
  }

  #list(expr: ListExpr): Range {
    const costs = expr.elements.map(({ value }) => this.cost(value));
    const value = coveringAll(expr.elements.map((element) => this.#size(element.value) ?? UNKNOWN));
    this.#entries.set(expr, { isList: true, key: ONE, value });
    return plus(sum(costs), exactly(LIST_CREATION));
  }

  #map(expr: MapExpr): Range {
    const costs = expr.entries.map(({ key, value }) => plus(this.cost(key), this.cost(value)));
    const key = coveringAll(expr.entries.map((entry) => this.#size(entry.key) ?? UNKNOWN));
    const value = coveringAll(expr.entries.map((entry) => this.#size(entry.value) ?? UNKNOWN));
    this.#entries.set(expr, { isList: false, key, value });
    return plus(sum(costs), exactly(MAP_CREATION));
  }

  #loop(expr: Comprehension): Range {
    const start = plus(this.cost(expr.range), this.cost(expr.init));
    const depth = this.#locals.length;
    this.#locals.push(this.#accumulator(expr));
    this.#locals.push(...this.#iterated(expr));
    const each = plus(this.cost(expr.condition), this.cost(expr.step));
    this.#locals.length = depth + 1;
    const result = this.cost(expr.result);
    this.#locals.length = depth;
    const count = this.#size(expr.range) ?? UNKNOWN;
    this.#loopSize(expr, count);
    return plus(plus(start, result), times(count, each));
  }

  #loopSize(expr: Comprehension, count: Range): void {
    const { init, step } = expr;
    const size =
      init.kind === 'literal' ? this.#size(init) : init.kind === 'list' || init.kind === 'map' ? count : undefined;
    if (size) this.#sizes.set(expr, size);
    if (init.kind === 'list' || init.kind === 'map') this.#setEntries(expr, this.#entrySizes(step));
  }

  #binding(expr: Comprehension): Range {
    const start = plus(this.cost(expr.range), this.cost(expr.init));
    this.#locals.push(this.#accumulator(expr));
    const result = this.cost(expr.result);
    this.#copySizes(expr, expr.result);
    this.#locals.pop();
    return plus(start, result);
  }

  #accumulator({ accuVar: name, init }: Comprehension): Local {
    return { name, path: this.#path(init), size: this.#size(init), entries: this.#entrySizes(init) };
  }

  #iterated({ range, iterVar, iterVar2 }: Comprehension): Local[] {
    const entries = this.#entrySizes(range);
    const isList = entries ? entries.isList : this.#type(range).kind === 'list';
    const variable = (name: string, part: string, size: Range | undefined): Local => ({
      name,
      path: [...this.#path(range), part],
      size,
      entries: undefined,
    });
    const element = (name: string) => variable(name, isList ? '@items' : '@values', entries?.value);
    const position = (name: string) => variable(name, isList ? '@indices' : '@keys', entries?.key);
    if (iterVar2 !== undefined) return [position(iterVar), element(iterVar2)];
    return [isList ? element(iterVar) : variable(iterVar, '@keys', entries?.key)];
  }

  #operand(expr: Expr): Operand {
    const path = this.#path(expr);
    const isOwn = path[0] === ACCUMULATOR;
    return { expr, type: this.#type(expr), path: isOwn ? [] : path, size: this.#size(expr) };
  }

  #path(expr: Expr): Path {
    return this.#local(expr)?.path ?? this.#paths.get(expr) ?? [];
  }

  #local(expr: Expr): Local | undefined {
    return expr.kind === 'ident' ? this.#locals.findLast(({ name }) => name === expr.name) : undefined;
  }

  #type(expr: Expr): CelType {
    return this.#checked.types.get(expr) ?? DYN;
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? writtenSize(expr);
    if (known) return known;
    const declared = declaredSize(this.#declared, this.#path(expr));
    if (declared) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    return isScalar(this.#type(expr)) ? ONE : this.#local(expr)?.size;
  }

  #entrySizes(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr) ?? this.#local(expr)?.entries;
  }

  #setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries) this.#entries.set(expr, entries);
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from);
    if (size) this.#sizes.set(to, size);
    this.#setEntries(to, this.#entrySizes(from));
  }
}

/** The size of what is written out in the expression. */
function writtenSize(expr: Expr): Range | undefined {
  if (expr.kind === 'list') return exactly(expr.elements.length);
  if (expr.kind === 'map') return exactly(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  if (typeof expr.value === 'string') return exactly(codePoints(expr.value));
  return exactly(expr.value instanceof Uint8Array ? expr.value.length : 1);
}

function isScalar(type: CelType): boolean {
  const inner = unwrapOptional(type);
  if (inner) return isScalar(inner);
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}

const coveringAll = (ranges: readonly Range[]): Range =>
  ranges.length === 0 ? NONE : ranges.reduce(covering, { min: Number.POSITIVE_INFINITY, max: 0 });

function united(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a && b && { isList: a.isList, key: covering(a.key, b.key), value: covering(a.value, b.value) };
}

const isComparison = (overload: string) =>
  overload === 'equals' || overload === 'not_equals' || /^(less|greater)(_equals)?_(string|bytes)$/.test(overload);

function compared(left: Range, right: Range): Range {
  const max = Math.min(left.max, right.max);
  return scaled({ min: max > 0 ? 1 : 0, max }, STRING_TRAVERSAL);
}
