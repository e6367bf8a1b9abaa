import { atomicStruct, dict, list, must, named, struct, text } from '../types/fields.ts';

/** Label selectors within objects. */

export const labelSelectorRequirement = struct('LabelSelectorRequirement', 'A demand on one label.', {
  key: must(text('The label.')),
  operator: must(named('LabelSelectorOperator', 'In, NotIn, Exists or DoesNotExist.')),
  values: list(text(), 'What In and NotIn compare with.'),
});

export const labelSelector = atomicStruct(
  'LabelSelector',
  'Selects objects by their labels; an empty selector selects all.',
  {
    matchLabels: dict(text(), 'Labels that must have exactly these values.'),
    matchExpressions: list(labelSelectorRequirement, 'Further demands; all must hold.'),
  },
);
