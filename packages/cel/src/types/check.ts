import type { Functions, FunctionDeclaration, Overload } from '../library/declaration.ts';
import type { Call, Comprehension, Expr, ListExpr, MapExpr, Select } from '../syntax/expr.ts';
import type { Issue } from '../syntax/issue.ts';
import { TypeValue } from '../values/scalars.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  INT,
  isSameType,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  param,
  showType,
  STRING,
  typeNameOf,
  UINT,
  unwrapOptional,
} from './cel-type.ts';
import { isReserved } from './escape.ts';
import { mostGeneral, Substitution } from './substitution.ts';

/** What an expression may refer to. */
export interface Scope {
  readonly variables: ReadonlyMap<string, CelType>;
  /** Types by name: `int`, `string`, … */
  readonly types: ReadonlyMap<string, CelType>;
  readonly functions: Functions;
}

/** What a name or a call turned out to mean. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type'; readonly value: TypeValue }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly overloads: readonly Overload[];
      readonly isNamespaced: boolean;
    };

/** An expression with everything the checker found out. Usable only without issues. */
export interface Checked {
  readonly expr: Expr;
  readonly types: ReadonlyMap<Expr, CelType>;
  readonly references: ReadonlyMap<Expr, Reference>;
  readonly issues: readonly Issue[];
}

/** Finds the type of every part of an expression, and what is wrong with it. */
export function check(expr: Expr, scope: Scope): Checked {
  const checker = new Checker(scope);
  checker.check(expr);
  return { expr, ...checker.results() };
}

class Checker {
  readonly #scope: Scope;
  readonly #locals: { readonly name: string; readonly type: CelType }[] = [];
  readonly #types = new Map<Expr, CelType>();
  readonly #references = new Map<Expr, Reference>();
  readonly #issues: Issue[] = [];
  readonly #substitution = new Substitution();
  #fresh = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  results(): Omit<Checked, 'expr'> {
    const types = new Map(Array.from(this.#types, ([expr, type]) => [expr, this.#substitution.resolve(type, true)]));
    return { types, references: this.#references, issues: this.#issues };
  }

  check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
      case 'ident':
        return this.#identifier(expr, expr.name) ?? this.#undeclared(expr, expr.name);
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.name === '_?._' ? this.#optionalSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #identifier(expr: Expr, written: string): CelType | undefined {
    const local = written.startsWith('.') ? undefined : this.#locals.findLast(({ name }) => name === written);
    const name = written.replace(/^\./, '');
    const variable = local?.type ?? this.#scope.variables.get(name);
    if (variable) {
      this.#references.set(expr, { kind: 'variable', name });
      return variable;
    }
    const type = this.#scope.types.get(name);
    if (!type) return undefined;
    this.#references.set(expr, { kind: 'type', value: new TypeValue(typeNameOf(type)) });
    return { kind: 'type', of: type };
  }

  #undeclared(expr: Expr, name: string): CelType {
    this.#report(expr, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  #select(expr: Select): CelType {
    const qualified = qualifiedName(expr);
    const named = qualified === undefined ? undefined : this.#identifier(expr, qualified);
    if (named) return named;
    const type = this.#field(expr, expr.operand, expr.field, false);
    return expr.testOnly ? BOOL : this.#substitution.resolve(type);
  }

  #optionalSelect(expr: Call): CelType {
    const [operand, field] = expr.args;
    if (!operand || field?.kind !== 'literal' || typeof field.value !== 'string') return ERROR;
    this.#references.set(expr, { kind: 'function', name: expr.name, overloads: [], isNamespaced: false });
    return this.#substitution.resolve(this.#field(expr, operand, field.value, true));
  }

  #field(expr: Expr, operand: Expr, field: string, isOptional: boolean): CelType {
    const operandType = this.#substitution.resolve(this.check(operand));
    const inner = unwrapOptional(operandType);
    const type = this.#fieldOf(expr, inner ?? operandType, field);
    return inner || isOptional ? optionalOf(type) : type;
  }

  #fieldOf(expr: Expr, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.of;
      case 'object':
        return this.#declaredField(expr, target.fields, field);
      case 'param':
        this.#substitution.assign(DYN, target);
        return DYN;
      case 'dyn':
      case 'error':
        return DYN;
      default:
        this.#report(expr, `type '${showType(target)}' does not support field selection`);
        return DYN;
    }
  }

  #declaredField(expr: Expr, fields: ReadonlyMap<string, CelType> | undefined, name: string): CelType {
    const type = fields?.get(name) ?? (isReserved(name) ? fields?.get(`__${name}__`) : undefined);
    if (type) return type;
    this.#report(expr, `undefined field '${name}'`);
    return ERROR;
  }

  #call(expr: Call): CelType {
    for (const arg of expr.args) this.check(arg);
    const { functions } = this.#scope;
    if (!expr.target) {
      const fn = functions.get(expr.name.replace(/^\./, ''));
      return fn ? this.#resolve(expr, fn, undefined, false) : this.#undeclared(expr, expr.name);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : functions.get(`${prefix.replace(/^\./, '')}.${expr.name}`);
    if (namespaced) return this.#resolve(expr, namespaced, undefined, true);
    this.check(expr.target);
    const fn = functions.get(expr.name);
    return fn ? this.#resolve(expr, fn, expr.target, false) : this.#undeclared(expr, expr.name);
  }

  #resolve(expr: Call, fn: FunctionDeclaration, target: Expr | undefined, isNamespaced: boolean): CelType {
    const args = target ? [target, ...expr.args] : expr.args;
    const argTypes = args.map((arg) => this.#types.get(arg) ?? ERROR);
    if (fn.name === '_&&_' || fn.name === '_||_') return this.#logical(expr, fn, args, argTypes);

    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of fn.overloads) {
      if (overload.isMember !== (target !== undefined)) continue;
      const instance = this.#instance(overload);
      if (!this.#substitution.assignAll(argTypes, instance.args)) continue;
      matching.push(overload);
      const type = this.#substitution.resolve(instance.result);
      result = result === undefined || isSameType(result, type) ? (result ?? type) : DYN;
    }
    if (result === undefined) return this.#noOverload(expr, fn.name, argTypes, target !== undefined);
    this.#references.set(expr, { kind: 'function', name: fn.name, overloads: matching, isNamespaced });
    return result;
  }

  #logical(expr: Call, fn: FunctionDeclaration, args: readonly Expr[], argTypes: readonly CelType[]): CelType {
    this.#references.set(expr, { kind: 'function', name: fn.name, overloads: fn.overloads, isNamespaced: false });
    let isWrong = false;
    for (const [at, arg] of args.entries()) {
      const type = argTypes[at] ?? ERROR;
      if (this.#substitution.assign(type, BOOL)) continue;
      this.#mismatch(arg, BOOL, type);
      isWrong = true;
    }
    return isWrong ? ERROR : BOOL;
  }

  #noOverload(expr: Expr, name: string, argTypes: readonly CelType[], isMember: boolean): CelType {
    const shown = argTypes.map((type) => showType(this.#substitution.resolve(type, true)));
    const signature = isMember ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    this.#report(expr, `found no matching overload for '${name}' applied to '${signature}'`);
    return ERROR;
  }

  /** The signature of an overload with type parameters that nothing else uses. */
  #instance({ args, result, params }: Overload): { args: readonly CelType[]; result: CelType } {
    if (params.length === 0) return { args, result };
    const renamed = new Substitution(new Map(params.map((name) => [name, this.#freshParam()])));
    return { args: args.map((arg) => renamed.resolve(arg)), result: renamed.resolve(result) };
  }

  #freshParam(): CelType {
    return param(`_var${this.#fresh++}`);
  }

  #list(expr: ListExpr): CelType {
    let of: CelType | undefined;
    for (const { value, optional } of expr.elements) of = this.#join(value, of, this.#element(value, optional));
    return listOf(of ?? this.#freshParam());
  }

  #map(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let of: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#join(entry.key, key, this.check(entry.key));
      of = this.#join(entry.value, of, this.#element(entry.value, entry.optional));
    }
    return mapOf(key ?? this.#freshParam(), of ?? this.#freshParam());
  }

  #element(value: Expr, isOptional: boolean): CelType {
    const type = this.check(value);
    if (!isOptional) return type;
    const inner = unwrapOptional(type);
    if (!inner && type.kind !== 'dyn') this.#mismatch(value, optionalOf(type), type);
    return inner ?? type;
  }

  /** Elements of different types make a list of anything; whether that is allowed is decided elsewhere. */
  #join(_expr: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    return this.#substitution.assign(previous, current) ? mostGeneral(previous, current) : DYN;
  }

  #comprehension(expr: Comprehension): CelType {
    this.check(expr.range);
    const accuType = this.check(expr.init);
    const rangeType = this.#substitution.resolve(this.#types.get(expr.range) ?? ERROR);
    const depth = this.#locals.length;
    this.#locals.push({ name: expr.accuVar, type: accuType });
    const [first, second] = this.#iterated(expr, rangeType);
    this.#locals.push({ name: expr.iterVar, type: first });
    if (expr.iterVar2 !== undefined) this.#locals.push({ name: expr.iterVar2, type: second });
    this.check(expr.condition);
    this.#expect(expr.condition, BOOL);
    this.check(expr.step);
    this.#expect(expr.step, accuType);
    this.#locals.length = depth + 1;
    const result = this.check(expr.result);
    this.#locals.length = depth;
    return this.#substitution.resolve(result);
  }

  /** Types of the variables of a loop. */
  #iterated({ range, iterVar2 }: Comprehension, type: CelType): [CelType, CelType] {
    switch (type.kind) {
      case 'list':
        return iterVar2 === undefined ? [type.of, type.of] : [INT, type.of];
      case 'map':
        return [type.key, type.of];
      case 'dyn':
      case 'error':
      case 'param':
        this.#substitution.assign(DYN, type);
        return [DYN, DYN];
      default: {
        const complaint = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        this.#report(range, `expression of type '${showType(type)}' ${complaint}`);
        return [ERROR, ERROR];
      }
    }
  }

  #expect(expr: Expr, wanted: CelType): void {
    const type = this.#types.get(expr) ?? ERROR;
    if (!this.#substitution.assign(wanted, type)) this.#mismatch(expr, wanted, type);
  }

  #mismatch(expr: Expr, wanted: CelType, found: CelType): void {
    this.#report(expr, `expected type '${showType(wanted)}' but found '${showType(found)}'`);
  }

  #report({ at }: Expr, message: string): void {
    this.#issues.push({ at, message });
  }
}

/** `a.b.c` as one name, which may be that of a type or lead to a function. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

function literalType(value: unknown): CelType {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      return value === null ? NULL : value instanceof Uint8Array ? BYTES : UINT;
  }
}
