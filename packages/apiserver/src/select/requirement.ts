import { goQuote } from '@klutch/cel';
import { qualifiedNameProblems, labelValueProblems } from '../metadata/name-rules.ts';

export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** Labels of an object; many have none. */
export type Labels = Readonly<Record<string, string>> | undefined;

/** One condition on labels. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  matches(labels: Labels): boolean;
}

/** A condition that breaks the rules; the text is the one Kubernetes has for it. */
export class InvalidRequirement extends Error {
  override readonly name = 'InvalidRequirement';
}

/** Makes a condition. Throws {@link InvalidRequirement}. */
export function requirement(key: string, operator: Operator, values: readonly string[]): Requirement {
  const keyProblems = qualifiedNameProblems(key);
  const problems = [
    ...(keyProblems.length > 0 ? [invalidValue('key', goQuote(key), keyProblems.join('; '))] : []),
    ...operandProblems(operator, values),
    ...values.flatMap((value, index) => valueProblems(key, value, index)),
  ];
  if (problems.length > 0) throw new InvalidRequirement(aggregated(problems));
  return { key, operator, values, matches: matcher(key, operator, values) };
}

/** What is wrong with a key that stands where a condition starts; undefined when nothing is. */
export function keyProblem(key: string): string | undefined {
  const problems = qualifiedNameProblems(key);
  // Kubernetes has no field to name here, and says so.
  return problems.length === 0 ? undefined : invalidValue('<nil>', goQuote(key), problems.join('; '));
}

/** A requirement as a client would write it. */
export function requirementText({ key, operator, values }: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const sorted = [...values].sort().join(',');
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${sorted})`;
  return `${key}${{ '=': '=', '==': '==', '!=': '!=', gt: '>', lt: '<' }[operator]}${sorted}`;
}

function matcher(key: string, operator: Operator, values: readonly string[]): Requirement['matches'] {
  const valueOf = (labels: Labels) => (labels && Object.hasOwn(labels, key) ? labels[key] : undefined);
  const wanted = new Set(values);
  switch (operator) {
    case 'exists':
      return (labels) => valueOf(labels) !== undefined;
    case '!':
      return (labels) => valueOf(labels) === undefined;
    case '!=':
    case 'notin':
      return (labels) => {
        const value = valueOf(labels);
        return value === undefined || !wanted.has(value);
      };
    case 'gt':
    case 'lt':
      return comparison(operator, values[0] ?? '', valueOf);
    case '=':
    case '==':
    case 'in':
      return (labels) => {
        const value = valueOf(labels);
        return value !== undefined && wanted.has(value);
      };
  }
}

function comparison(
  operator: 'gt' | 'lt',
  limitText: string,
  valueOf: (labels: Labels) => string | undefined,
): Requirement['matches'] {
  const limit = parseInt64(limitText);
  return (labels) => {
    const value = parseInt64(valueOf(labels) ?? '');
    if (value === undefined || limit === undefined) return false;
    return operator === 'gt' ? value > limit : value < limit;
  };
}

function operandProblems(operator: Operator, values: readonly string[]): readonly string[] {
  const all = values.length === 0 ? 'null' : JSON.stringify(values);
  const unless = (isFine: boolean, rule: string) => (isFine ? [] : [invalidValue('values', all, rule)]);
  switch (operator) {
    case 'in':
    case 'notin':
      return unless(values.length > 0, "for 'in', 'notin' operators, values set can't be empty");
    case '=':
    case '==':
    case '!=':
      return unless(values.length === 1, 'exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return unless(values.length === 0, 'values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...unless(values.length === 1, "for 'Gt', 'Lt' operators, exactly one value is required"),
        ...values.flatMap((value, index) => integerProblems(value, index)),
      ];
  }
}

function integerProblems(value: string, index: number): readonly string[] {
  if (parseInt64(value) !== undefined) return [];
  return [invalidValue(`values[${index}]`, goQuote(value), "for 'Gt', 'Lt' operators, the value must be an integer")];
}

function valueProblems(key: string, value: string, index: number): readonly string[] {
  const problems = labelValueProblems(value);
  return problems.length === 0 ? [] : [invalidValue(`values[${index}][${key}]`, goQuote(value), problems.join('; '))];
}

function invalidValue(field: string, value: string, problem: string): string {
  return `${field}: Invalid value: ${value}: ${problem}`;
}

function aggregated(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value === BigInt.asIntN(64, value) ? value : undefined;
}
