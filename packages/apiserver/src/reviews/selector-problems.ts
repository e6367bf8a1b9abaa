import type { ResourceQuestion, SelectorQuestion } from './access-review-spec.ts';
import { type Operator, requirement } from '../select/requirement.ts';
import { parseFieldTerms } from '../select/field-terms.ts';
import { parseLabelSelector } from '../select/parse-label-selector.ts';

/**
 * Selectors narrow a question. RBAC does not look at them, but who asks is told when one was not understood: the answer
 * is then about more than was asked.
 */
export function selectorProblems({ fieldSelector, labelSelector }: ResourceQuestion = {}): string {
  return [
    problemOf('fieldSelector', fieldSelector, parseFieldTerms, isFieldRequirement),
    problemOf('labelSelector', labelSelector, parseLabelSelector, isLabelRequirement),
  ]
    .filter((problem) => problem !== undefined)
    .join('; ');
}

type Requirement = NonNullable<SelectorQuestion['requirements']>[number];

function problemOf(
  name: string,
  selector: SelectorQuestion | undefined,
  parse: (raw: string) => unknown,
  isUnderstood: (requirement: Requirement) => boolean,
): string | undefined {
  if (selector === undefined) return undefined;
  const { rawSelector, requirements = [] } = selector;
  const understood = requirements.filter(isUnderstood);
  if (understood.length === requirements.length && (rawSelector === undefined || parses(rawSelector, parse)))
    return undefined;
  const extent = understood.length > 0 ? 'partially ignored' : 'ignored';
  return `spec.resourceAttributes.${name} ${extent} due to parse error`;
}

function parses(raw: string, parse: (raw: string) => unknown): boolean {
  try {
    parse(raw);
    return true;
  } catch {
    return false;
  }
}

/** Field selectors compare with one value, and nothing else. */
function isFieldRequirement({ operator, values = [] }: Requirement): boolean {
  return (operator === 'In' || operator === 'NotIn') && values.length === 1;
}

const LABEL_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

function isLabelRequirement({ key, operator, values = [] }: Requirement): boolean {
  const known = LABEL_OPERATORS.get(operator);
  return known !== undefined && parses(key, () => requirement(key, known, values));
}
