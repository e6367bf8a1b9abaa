import { badRequest } from '../status/status-error.ts';
import {
  InvalidRequirement,
  type Labels,
  type Operator,
  requirement,
  type Requirement,
  requirementText,
} from './requirement.ts';

/** Which labels are wanted; all requirements must hold. */
export interface LabelSelector {
  readonly requirements: readonly Requirement[];
  /** Whether everything is wanted. */
  readonly isEmpty: boolean;
  matches(labels: Labels): boolean;
  /** As a client would write it, in an order of its own. */
  toString(): string;
}

/** A selector as objects contain it, for example in `spec.selector`. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** A selector of requirements that all must hold. */
export function labelSelector(requirements: readonly Requirement[]): LabelSelector {
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return {
    requirements: sorted,
    isEmpty: sorted.length === 0,
    matches: (labels) => sorted.every((one) => one.matches(labels)),
    toString: () => sorted.map(requirementText).join(','),
  };
}

/** Wants every object. */
export const everything: LabelSelector = labelSelector([]);

/** Wants no object at all. */
export const nothing: LabelSelector = { requirements: [], isEmpty: false, matches: () => false, toString: () => '' };

const OPERATORS: Readonly<Record<string, Operator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

/**
 * The selector that an object contains. Absent selects nothing, empty everything. Throws a 400 with the text of
 * Kubernetes for one that breaks the rules.
 */
export function labelSelectorFrom(object: LabelSelectorObject | undefined): LabelSelector {
  if (!object) return nothing;
  try {
    const labels = Object.entries(object.matchLabels ?? {}).map(([key, value]) => requirement(key, '=', [value]));
    const expressions = (object.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
      if (!known) throw new InvalidRequirement(`${JSON.stringify(operator)} is not a valid label selector operator`);
      return requirement(key, known, values);
    });
    return labelSelector([...labels, ...expressions]);
  } catch (error) {
    if (error instanceof InvalidRequirement) throw badRequest(error.message);
    throw error;
  }
}
