import type { Call, Comprehension, Expr, Ident, ListExpr, MapExpr, Position } from './expr.ts';
import { SyntaxIssue } from './issue.ts';

/** Holds the result of a loop while it runs; no identifier of a source can be this. */
export const ACCUMULATOR = '@result';
const UNUSED = '#unused';

/** Writes a call of a macro as what it stands for; any other call comes back as it is. */
export function expandMacro(call: Call): Expr {
  if (!call.target) return call.name === 'has' && call.args.length === 1 ? presenceTest(call) : call;
  const macro = MACROS.get(`${call.name}/${call.args.length}`);
  return macro ? macro({ at: call.at, target: call.target, args: call.args }) : call;
}

interface Use {
  readonly at: Position;
  readonly target: Expr;
  readonly args: readonly Expr[];
}

const MACROS: ReadonlyMap<string, (use: Use) => Expr> = new Map([
  ['all/2', (use: Use) => quantifier(use, all)],
  ['all/3', (use: Use) => quantifier(use, all)],
  ['exists/2', (use: Use) => quantifier(use, exists)],
  ['exists/3', (use: Use) => quantifier(use, exists)],
  ['exists_one/2', (use: Use) => quantifier(use, existsOne)],
  ['exists_one/3', (use: Use) => quantifier(use, existsOne)],
  ['existsOne/3', (use: Use) => quantifier(use, existsOne)],
  ['map/2', (use: Use) => mapped(use, undefined, argument(use, 1))],
  ['map/3', (use: Use) => mapped(use, argument(use, 1), argument(use, 2))],
  ['filter/2', filtered],
  ['sortBy/2', sortedBy],
  ['optMap/2', (use: Use) => optionally(use, 'optMap', (inner) => called(use.at, 'optional.of', [inner]))],
  ['optFlatMap/2', (use: Use) => optionally(use, 'optFlatMap', (inner) => inner)],
  ['transformList/3', (use: Use) => transformed(use, listStep)],
  ['transformList/4', (use: Use) => transformed(use, listStep)],
  ['transformMap/3', (use: Use) => transformed(use, mapStep)],
  ['transformMap/4', (use: Use) => transformed(use, mapStep)],
  ['transformMapEntry/3', (use: Use) => transformed(use, entryStep)],
  ['transformMapEntry/4', (use: Use) => transformed(use, entryStep)],
]);

function presenceTest({ at, args: [tested] }: Call): Expr {
  if (tested?.kind === 'select') return { ...tested, at, testOnly: true };
  throw new SyntaxIssue(tested?.at ?? at, 'invalid argument to has() macro');
}

/** The parts of a loop that make it a quantifier. */
type Quantifier = (predicate: Expr, at: Position) => Pick<Comprehension, 'init' | 'condition' | 'step' | 'result'>;

const all: Quantifier = (predicate, at) => ({
  init: literal(at, true),
  condition: called(at, '@not_strictly_false', [accumulator(at)]),
  step: called(at, '_&&_', [accumulator(at), predicate]),
  result: accumulator(at),
});

const exists: Quantifier = (predicate, at) => ({
  init: literal(at, false),
  condition: called(at, '@not_strictly_false', [called(at, '!_', [accumulator(at)])]),
  step: called(at, '_||_', [accumulator(at), predicate]),
  result: accumulator(at),
});

const existsOne: Quantifier = (predicate, at) => ({
  init: literal(at, 0n),
  condition: literal(at, true),
  step: conditional(at, predicate, called(at, '_+_', [accumulator(at), literal(at, 1n)]), accumulator(at)),
  result: called(at, '_==_', [accumulator(at), literal(at, 1n)]),
});

function quantifier(use: Use, parts: Quantifier): Expr {
  const { at, target: range, args } = use;
  const [iterVar, iterVar2] =
    args.length === 3 ? twoNames(use) : [variable(args[0], at, 'argument must be a simple name')];
  return { kind: 'comprehension', at, range, iterVar, iterVar2, accuVar: ACCUMULATOR, ...parts(argument(use, -1), at) };
}

function mapped(use: Use, filter: Expr | undefined, transform: Expr): Expr {
  const iterVar = variable(use.args[0], use.at, 'argument is not an identifier');
  return collecting(use, { iterVar, iterVar2: undefined }, filter, appended(use.at, transform));
}

function filtered(use: Use): Expr {
  const iterVar = variable(use.args[0], use.at, 'argument is not an identifier');
  return collecting(use, { iterVar, iterVar2: undefined }, argument(use, 1), appended(use.at, argument(use, 0)));
}

type StepMaker = (at: Position, keyName: string, transform: Expr) => { init: ListExpr | MapExpr; step: Expr };

const listStep: StepMaker = (at, _, transform) => ({ init: emptyList(at), step: appended(at, transform) });
const mapStep: StepMaker = (at, keyName, transform) => ({
  init: emptyMap(at),
  step: called(at, 'cel.@mapInsert', [accumulator(at), ident(at, keyName), transform]),
});
const entryStep: StepMaker = (at, _, transform) => ({
  init: emptyMap(at),
  step: called(at, 'cel.@mapInsert', [accumulator(at), transform]),
});

function transformed(use: Use, makeStep: StepMaker): Expr {
  const [iterVar, iterVar2] = twoNames(use);
  const filter = use.args.length === 4 ? argument(use, 2) : undefined;
  const { init, step } = makeStep(use.at, iterVar, argument(use, -1));
  return collecting(use, { iterVar, iterVar2 }, filter, step, init);
}

/** A loop that collects, from all or only from the elements that pass a filter. */
function collecting(
  { at, target: range }: Use,
  names: Pick<Comprehension, 'iterVar' | 'iterVar2'>,
  filter: Expr | undefined,
  step: Expr,
  init: Expr = emptyList(at),
): Expr {
  const filteredStep = filter ? conditional(at, filter, step, accumulator(at)) : step;
  const parts = { init, condition: literal(at, true), step: filteredStep, result: accumulator(at) };
  return { kind: 'comprehension', at, range, ...names, accuVar: ACCUMULATOR, ...parts };
}

function sortedBy(use: Use): Expr {
  const { at, target } = use;
  if (target.kind === 'literal' || target.kind === 'map') {
    const message = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    throw new SyntaxIssue(target.at, message);
  }
  const input = '@__sortBy_input__';
  const keys = mapped({ ...use, target: ident(at, input) }, undefined, argument(use, 1));
  const sort: Expr = { kind: 'call', at, name: '@sortByAssociatedKeys', target: ident(at, input), args: [keys] };
  return bound(at, input, target, sort);
}

function optionally(use: Use, name: string, wrap: (inner: Expr) => Expr): Expr {
  const { at, target, args } = use;
  const [names] = args;
  if (names?.kind !== 'ident')
    throw new SyntaxIssue(names?.at ?? at, `${name}() variable name must be a simple identifier`);
  const value: Expr = { kind: 'call', at, name: 'value', target, args: [] };
  const hasValue: Expr = { kind: 'call', at, name: 'hasValue', target, args: [] };
  const inner = wrap(bound(at, names.name, value, argument(use, 1)));
  return conditional(at, hasValue, inner, called(at, 'optional.none', []));
}

/** Gives a value a name within an expression: a loop over nothing, of which only start and result count. */
function bound(at: Position, accuVar: string, init: Expr, result: Expr): Expr {
  const range = emptyList(at);
  const parts = { init, condition: literal(at, false), step: ident(at, accuVar), result };
  return { kind: 'comprehension', at, range, iterVar: UNUSED, iterVar2: undefined, accuVar, ...parts };
}

function twoNames({ args, at }: Use): [string, string] {
  const first = variable(args[0], at, 'argument must be a simple name');
  const second = variable(args[1], at, 'argument must be a simple name');
  if (first === second) throw new SyntaxIssue(args[1]?.at ?? at, `duplicate variable name: ${first}`);
  return [first, second];
}

function variable(arg: Expr | undefined, at: Position, complaint: string): string {
  if (arg?.kind !== 'ident') throw new SyntaxIssue(arg?.at ?? at, complaint);
  if (arg.name === '__result__') throw new SyntaxIssue(arg.at, 'iteration variable overwrites accumulator variable');
  return arg.name;
}

/** An argument that the number of arguments guarantees. */
function argument({ args, at }: Use, position: number): Expr {
  return args.at(position) ?? literal(at, null);
}

const literal = (at: Position, value: null | boolean | bigint): Expr => ({ kind: 'literal', at, value });
const ident = (at: Position, name: string): Ident => ({ kind: 'ident', at, name });
const accumulator = (at: Position) => ident(at, ACCUMULATOR);
const called = (at: Position, name: string, args: readonly Expr[]): Expr => ({
  kind: 'call',
  at,
  name,
  target: undefined,
  args,
});
const conditional = (at: Position, condition: Expr, yes: Expr, no: Expr) => called(at, '_?_:_', [condition, yes, no]);
const emptyList = (at: Position): ListExpr => ({ kind: 'list', at, elements: [] });
const emptyMap = (at: Position): MapExpr => ({ kind: 'map', at, entries: [] });
const appended = (at: Position, item: Expr) =>
  called(at, '_+_', [accumulator(at), { kind: 'list', at, elements: [{ value: item, optional: false }] }]);
