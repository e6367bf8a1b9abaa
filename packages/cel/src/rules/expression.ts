import { maxCost } from '../cost/estimate.ts';
import { plan, PlanError, type Program } from '../eval/plan.ts';
import { optionalOf } from '../types/cel-type.ts';
import type { SchemaType } from '../types/schema-type.ts';
import { checkSource, type Rejected } from './check-source.ts';

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
  const checked = checkSource(source, variables);
  if ('problem' in checked) return checked;
  if (checked.types.get(checked.expr)?.kind !== result) return { problem: complaint };
  try {
    const references = Array.from(checked.references.values());
    const usesOldSelf = references.some((reference) => reference.kind === 'variable' && reference.name === 'oldSelf');
    return { run: plan(checked, ['self', 'oldSelf']), usesOldSelf, maxCost: maxCost(checked, self) };
  } catch (error) {
    if (error instanceof PlanError) return { problem: `program instantiation failed: ${error.message}` };
    throw error;
  }
}
