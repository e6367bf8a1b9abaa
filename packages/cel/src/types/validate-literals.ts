import { parseGoDuration } from '../formats/go-duration.ts';
import { parseTimestamp } from '../formats/go-time.ts';
import { patternProblem } from '../patterns/pattern.ts';
import { COMPLAINTS, type Clause, countClauses, FormatStringError, interpolate } from '../library/format-string.ts';
import type { Call, Expr } from '../syntax/expr.ts';
import type { Issue } from '../syntax/issue.ts';
import { type CelType, isSameType, showType, typeNameOf, unwrapOptional } from './cel-type.ts';
import type { Checked } from './check.ts';

/** What is wrong with the literals of an expression that is otherwise well typed. */
export function literalIssues(checked: Checked): Issue[] {
  const issues: Issue[] = [];
  visit(checked.expr, false, (expr, isInFormat) => {
    if (expr.kind === 'call') issues.push(...callIssues(expr, checked));
    if ((expr.kind === 'list' || expr.kind === 'map') && !isInFormat) issues.push(...mixtureIssues(expr, checked));
  });
  return issues;
}

/** Visits every part; `isInFormat` tells whether it is part of a call of `format`, where lists may be mixed. */
function visit(expr: Expr, isInFormat: boolean, see: (expr: Expr, isInFormat: boolean) => void): void {
  see(expr, isInFormat);
  const below = isInFormat || (expr.kind === 'call' && expr.name === 'format');
  for (const part of partsOf(expr)) visit(part, below, see);
}

/** The expressions an expression is made of. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'list':
      return expr.elements.map(({ value }) => value);
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

/** Functions of which a literal argument is tried at once. */
const TRIED: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseGoDuration(text) !== undefined,
  timestamp: (text) => parseTimestamp(text) !== undefined,
  matches: (text) => patternProblem(text) === undefined,
};

function callIssues(call: Call, checked: Checked): Issue[] {
  if (call.name === 'format') return formatIssues(call, checked);
  const [arg] = call.args;
  const isValid = Object.hasOwn(TRIED, call.name) ? TRIED[call.name] : undefined;
  if (!isValid || arg?.kind !== 'literal' || typeof arg.value !== 'string' || isValid(arg.value)) return [];
  return [{ at: arg.at, message: `invalid ${call.name} argument` }];
}

function mixtureIssues(expr: Expr & { kind: 'list' | 'map' }, { types }: Checked): Issue[] {
  const typeOf = (value: Expr, optional = false) => {
    const type = types.get(value) ?? { kind: 'dyn' };
    return optional ? (unwrapOptional(type) ?? type) : type;
  };
  if (expr.kind === 'list') {
    return firstMismatch(expr.elements.map(({ value, optional }) => [value, typeOf(value, optional)]));
  }
  return [
    ...mismatches(expr.entries.map(({ key }) => [key, typeOf(key)])),
    ...mismatches(expr.entries.map(({ value, optional }) => [value, typeOf(value, optional)])),
  ];
}

function mismatches(parts: readonly (readonly [Expr, CelType])[]): Issue[] {
  const wanted = parts[0]?.[1];
  if (!wanted) return [];
  return parts
    .filter(([, type]) => !isSameType(wanted, type))
    .map(([{ at }, type]) => ({ at, message: `expected type '${showType(wanted)}' but found '${showType(type)}'` }));
}

const firstMismatch = (parts: readonly (readonly [Expr, CelType])[]) => mismatches(parts).slice(0, 1);

/** `'%d'.format([…])` with a literal text and a literal list. */
function formatIssues({ at, target, args }: Call, { types }: Checked): Issue[] {
  const [list] = args;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return [];
  const values = list.elements.map(({ value }) => value);
  const format = target.value;
  try {
    const found: Issue[] = [];
    interpolate(format, values.length, (clause, argument) => {
      const value = values[argument];
      const wrong = value && unsuitable(clause, value, types);
      if (wrong) found.push(complaint(clause, wrong, types));
      return '';
    });
    if (found.length > 0) return found.slice(0, 1);
    const used = countClauses(format, values.length);
    if (values.length <= used) return [];
    return [{ at, message: `too many arguments supplied to string.format (expected ${used}, got ${values.length})` }];
  } catch (error) {
    if (error instanceof FormatStringError) return [{ at, message: error.message }];
    throw error;
  }
}

function complaint({ verb }: Clause, wrong: Expr, types: Checked['types']): Issue {
  const given = typeNameOf(types.get(wrong) ?? { kind: 'dyn' });
  return { at: wrong.at, message: `error during formatting: ${COMPLAINTS[verb]}, was given ${given}` };
}

const SUITABLE: Readonly<Record<Clause['verb'], ReadonlySet<CelType['kind']>>> = {
  s: new Set([
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ]),
  d: new Set(['int', 'uint']),
  f: new Set(['double', 'string']),
  e: new Set(['double', 'string']),
  b: new Set(['int', 'uint', 'bool']),
  x: new Set(['int', 'uint', 'string', 'bytes']),
  X: new Set(['int', 'uint', 'string', 'bytes']),
  o: new Set(['int', 'uint']),
};

/** The part of an argument that a clause cannot show, if any. */
function unsuitable(clause: Clause, value: Expr, types: Checked['types']): Expr | undefined {
  const kind = types.get(value)?.kind ?? 'dyn';
  if (kind !== 'dyn' && !SUITABLE[clause.verb].has(kind)) return value;
  if (clause.verb !== 's' || (value.kind !== 'list' && value.kind !== 'map')) return undefined;
  return partsOf(value)
    .map((part) => unsuitable(clause, part, types))
    .find((part) => part !== undefined);
}
