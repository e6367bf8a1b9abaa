import { deepEqual, isObject } from '@klutch/cel';
import type { Expression, Rule, Spec } from './rule.ts';

/** The rules that refuse a `spec`: as a new claim, or as a change of what was there before. */
export function refusals(rules: readonly Rule[], now: Spec, before?: Spec): readonly Rule[] {
  const asked = before ? rules : rules.filter((rule) => rule.asked === 'always');
  return asked.filter((rule) => !holds(rule.holds, now, before));
}

function holds(expression: Expression, now: Spec, before: Spec | undefined): boolean {
  const below = (part: Expression) => holds(part, now, before);
  switch (expression.is) {
    case 'set':
      return valueAt(expression.time === 'before' ? before : now, expression.field) !== undefined;
    case 'in': {
      const value = valueAt(expression.time === 'before' ? before : now, expression.field);
      return typeof value === 'string' && expression.values.includes(value);
    }
    case 'kept':
      return deepEqual(valueAt(now, expression.field), valueAt(before, expression.field));
    case 'created':
      return before === undefined;
    case 'not':
      return !below(expression.of);
    case 'all':
      return expression.of.every(below);
    case 'any':
      return expression.of.some(below);
  }
}

/** Undefined when the field, or something above it, is not set. Servers remove fields that are null. */
function valueAt(spec: Spec | undefined, field: string): unknown {
  const value = field
    .split('.')
    .reduce<unknown>((above, name) => (isObject(above) && Object.hasOwn(above, name) ? above[name] : undefined), spec);
  return value ?? undefined;
}
