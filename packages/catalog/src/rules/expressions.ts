import type { Expression } from './rule.ts';

/** Short names for the parts that rules are made of. */

export const isSet = (field: string): Expression => ({ is: 'set', field });
export const isIn = (field: string, values: readonly string[]): Expression => ({ is: 'in', field, values });
export const kept = (field: string): Expression => ({ is: 'kept', field });
export const not = (of: Expression): Expression => ({ is: 'not', of });
export const all = (...of: readonly Expression[]): Expression => ({ is: 'all', of });
export const any = (...of: readonly Expression[]): Expression => ({ is: 'any', of });
export const implies = (when: Expression, then: Expression): Expression => any(not(when), then);
export const created: Expression = { is: 'created' };

/** A statement about now, as one about before. */
export function before(expression: Expression): Expression {
  switch (expression.is) {
    case 'set':
    case 'in':
      return { ...expression, time: 'before' };
    case 'not':
      return not(before(expression.of));
    case 'all':
    case 'any':
      return { is: expression.is, of: expression.of.map(before) };
    case 'kept':
    case 'created':
      throw new TypeError(`nothing is known of the time before ${expression.is}`);
  }
}

/** A claim that does not fulfil it already may go on like that: rules that came later do not make it invalid for other edits. */
export const unlessBrokenBefore = (holds: Expression): Expression => any(holds, all(not(created), not(before(holds))));

/** Whether the answer depends on an earlier `spec`. */
export function looksBack(expression: Expression): boolean {
  switch (expression.is) {
    case 'set':
    case 'in':
      return expression.time === 'before';
    case 'kept':
      return true;
    case 'created':
      return false;
    case 'not':
      return looksBack(expression.of);
    case 'all':
    case 'any':
      return expression.of.some(looksBack);
  }
}
