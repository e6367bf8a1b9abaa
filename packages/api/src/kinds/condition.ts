import { array, enumeration, type InferFields, object, required, string } from '../schema/schema.ts';

/**
 * A condition in the style of Cluster API, not of `metav1`: it has a severity and no `observedGeneration`. The CRDs of
 * the Go components leave `status` and `severity` open; the values are closed here because nothing writes any other.
 */
const conditionFields = {
  type: required(string('What the condition is about, in CamelCase.')),
  status: required(enumeration('Whether it holds.', ['True', 'False', 'Unknown'])),
  severity: enumeration('How bad it is when it does not hold; only with status False.', ['Error', 'Warning', 'Info']),
  lastTransitionTime: required(string('When this state began.', { format: 'date-time' })),
  reason: string('Why, in CamelCase, for machines.'),
  message: string('Why, in a sentence, for people.'),
};

/** The `conditions` of a status: an atomic list, always written as a whole. */
export const conditions = array(
  'State of the object, most important first.',
  object('One aspect of the state.', conditionFields),
);

export type Condition = InferFields<typeof conditionFields>;
export type ConditionStatus = Condition['status'];
export type ConditionSeverity = NonNullable<Condition['severity']>;
