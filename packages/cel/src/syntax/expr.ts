import type { CelValue } from '../values/value.ts';

/** Where something stands in the source: units from its start. */
export type Position = number;

export interface Literal {
  readonly kind: 'literal';
  readonly at: Position;
  readonly value: CelValue;
}

export interface Ident {
  readonly kind: 'ident';
  readonly at: Position;
  readonly name: string;
}

/** `operand.field`; with `testOnly` it asks whether the field is there. */
export interface Select {
  readonly kind: 'select';
  readonly at: Position;
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
}

/** A function, an operator (`_+_`) or, with a target, a method. */
export interface Call {
  readonly kind: 'call';
  readonly at: Position;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly at: Position;
  readonly elements: readonly { readonly value: Expr; readonly optional: boolean }[];
}

export interface MapExpr {
  readonly kind: 'map';
  readonly at: Position;
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[];
}

/** A loop over a range: what the macros become. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly at: Position;
  readonly range: Expr;
  readonly iterVar: string;
  /** The second variable: the value, when the first is a key or an index. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | Comprehension;
