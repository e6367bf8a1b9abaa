import { maxCost } from '../cost/estimate.ts';
import { plan, PlanError, type Program } from '../eval/plan.ts';
import { FUNCTIONS } from '../library/functions.ts';
import { type Issue, showIssues, SyntaxIssue } from '../syntax/issue.ts';
import { parse } from '../syntax/parse.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  STRING,
  TIMESTAMP,
  typeNameOf,
  UINT,
} from '../types/cel-type.ts';
import { check, type Checked } from '../types/check.ts';
import type { SchemaType } from '../types/schema-type.ts';
import { literalIssues } from '../types/validate-literals.ts';

/** What an expression of a rule sees. */
export interface Surroundings {
  /** The type of `self`. */
  readonly self: SchemaType;
  /** Whether `oldSelf` may be missing and is an optional. */
  readonly optionalOldSelf: boolean;
}

/** An expression that can run. */
export interface Expression {
  readonly run: Program;
  readonly usesOldSelf: boolean;
  /** The most it can cost, in the units of Kubernetes. */
  readonly maxCost: number;
}

/** An expression that cannot run, and why. */
export interface Rejected {
  readonly problem: string;
}

const TYPES: ReadonlyMap<string, CelType> = new Map([
  ...[BOOL, BYTES, DOUBLE, INT, listOf(DYN), mapOf(DYN, DYN), NULL, STRING, UINT, DURATION, TIMESTAMP].map(
    (type): [string, CelType] => [typeNameOf(type), type],
  ),
  ['type', { kind: 'type', of: undefined }],
  ['timestamp', TIMESTAMP],
  ['duration', DURATION],
  ['net.IP', opaque('net.IP')],
  ['net.CIDR', opaque('net.CIDR')],
  ['optional_type', optionalOf(DYN)],
]);

/** Compiles an expression that must have a value of a type. `complaint` is what is said when it has another one. */
export function compileExpression(
  source: string,
  { self, optionalOldSelf }: Surroundings,
  result: 'bool' | 'string',
  complaint: string,
): Expression | Rejected {
  const oldSelf = optionalOldSelf ? optionalOf(self.type) : self.type;
  const variables = new Map([
    ['self', self.type],
    ['oldSelf', oldSelf],
  ]);
  const checked = read(source, variables);
  if ('problem' in checked) return checked;
  if (checked.types.get(checked.expr)?.kind !== result) return { problem: complaint };
  try {
    const references = Array.from(checked.references.values());
    const usesOldSelf = references.some((reference) => reference.kind === 'variable' && reference.name === 'oldSelf');
    return { run: plan(checked), usesOldSelf, maxCost: maxCost(checked, self) };
  } catch (error) {
    if (error instanceof PlanError) return { problem: `program instantiation failed: ${error.message}` };
    throw error;
  }
}

function read(source: string, variables: ReadonlyMap<string, CelType>): Checked | Rejected {
  const failed = (issues: readonly Issue[]): Rejected => ({
    problem: `compilation failed: ${showIssues(source, issues)}`,
  });
  try {
    const checked = check(parse(source), { variables, types: TYPES, functions: FUNCTIONS });
    const issues = checked.issues.length > 0 ? checked.issues : literalIssues(checked);
    return issues.length > 0 ? failed(issues) : checked;
  } catch (error) {
    if (error instanceof SyntaxIssue) return failed([{ at: error.at, message: error.message }]);
    throw error;
  }
}
