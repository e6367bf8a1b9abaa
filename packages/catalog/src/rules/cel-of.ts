import { escapeField, type ValidationRule } from '@klutch/cel';
import { any, created, looksBack } from './expressions.ts';
import type { Expression, Rule, Time } from './rule.ts';

/** A rule as an entry of `x-kubernetes-validations` at `spec`. */
export function celOf({ asked, field, holds, message }: Rule): ValidationRule {
  const isTransition = asked === 'change' && looksBack(holds);
  const said = asked === 'change' && !isTransition ? any(created, holds) : holds;
  const text = written(said, { isOldSelfOptional: !isTransition });
  const isOptional = !isTransition && /\boldSelf\b/.test(text);
  return { rule: text, message, fieldPath: `.${field}`, ...(isOptional ? { optionalOldSelf: true } : {}) };
}

interface Context {
  readonly isOldSelfOptional: boolean;
}

/** Never fails to evaluate, whatever is absent, so that each refusal has the message of its rule. */
function written(expression: Expression, context: Context): string {
  switch (expression.is) {
    case 'set':
      return set(expression.field, expression.time, context);
    case 'in':
      return inList(expression, context);
    case 'kept':
      return same(expression.field, context);
    case 'created':
      return context.isOldSelfOptional ? '!oldSelf.hasValue()' : 'false';
    case 'not':
      return `!(${written(expression.of, context)})`;
    case 'all':
      return joined(expression.of, ' && ', 'true', context);
    case 'any':
      return joined(expression.of, ' || ', 'false', context);
  }
}

function joined(parts: readonly Expression[], operator: string, whenEmpty: string, context: Context): string {
  const [only, ...others] = parts;
  if (!only) return whenEmpty;
  if (others.length === 0) return written(only, context);
  return parts.map((part) => `(${written(part, context)})`).join(operator);
}

function set(field: string, time: Time = 'now', context: Context): string {
  const [name = '', ...below] = identifiers(field);
  return time === 'now' && below.length === 0 ? `has(self.${name})` : `${optional(field, time, context)}.hasValue()`;
}

function inList({ field, values, time = 'now' }: Expression & { readonly is: 'in' }, context: Context): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  const listed = `${optional(field, time, context)}.orValue("") in [${list}]`;
  return values.includes('') ? `${set(field, time, context)} && ${listed}` : listed;
}

/** Compares values and not optionals, whose size, and so the cost of comparing them, Kubernetes cannot tell. */
function same(field: string, context: Context): string {
  const path = identifiers(field).join('.');
  const old = `${context.isOldSelfOptional ? 'oldSelf.value()' : 'oldSelf'}.${path}`;
  const wasSet = set(field, 'before', context);
  return `${set(field, 'now', context)} ? ${wasSet} && self.${path} == ${old} : !${wasSet}`;
}

/** Kubernetes forgets the types of an optional `oldSelf`: what is not a plain identifier has its name in JSON there. */
function optional(field: string, time: Time, { isOldSelfOptional }: Context): string {
  const names = identifiers(field);
  if (time === 'now') return ['self', ...names].join('.?');
  if (!isOldSelfOptional || names.join('.') === field) return ['oldSelf', ...names].join('.?');
  return `dyn(oldSelf)${field
    .split('.')
    .map((name) => `[?${JSON.stringify(name)}]`)
    .join('')}`;
}

function identifiers(field: string): readonly string[] {
  return field.split('.').map((name) => {
    const identifier = escapeField(name);
    if (identifier === undefined) throw new TypeError(`rules cannot reach a field that is called ${name}`);
    return identifier;
  });
}
