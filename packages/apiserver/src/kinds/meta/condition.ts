import type { Struct } from '../types/go-type.ts';
import { type FieldLikes, int64, must, named, struct, text, time } from '../types/fields.ts';

/** The condition that newer kinds share. */
export const condition = struct('Condition', 'One aspect of the state of an object.', {
  type: must(text('What the condition is about.')),
  status: must(named('ConditionStatus', 'True, False or Unknown.')),
  observedGeneration: int64('Generation of the object the condition was found for.'),
  lastTransitionTime: must(time('When the status last changed.')),
  reason: must(text('Why, as one word for programs.')),
  message: must(text('Why, for people.')),
});

/**
 * The condition of an older kind, which has a struct of its own.
 *
 * @param more fields after those that all have
 */
export function ownCondition(name: string, description: string, more: FieldLikes = {}): Struct {
  return struct(name, description, {
    type: must(named(`${name}Type`, 'What it is about.')),
    status: must(named('ConditionStatus', 'True, False or Unknown.')),
    lastTransitionTime: time('When the status last changed.'),
    reason: text('Why, as one word.'),
    message: text('Why, for people.'),
    ...more,
  });
}
