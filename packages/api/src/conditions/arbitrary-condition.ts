import * as fc from 'fast-check';
import type { Condition } from '../kinds/condition.ts';
import type { ConditionState } from './set-condition.ts';

const fields = {
  type: fc.constantFrom('Ready', 'SecretValid', 'Connected', 'Healthy', 'A', 'b'),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  severity: fc.option(fc.constantFrom('Error', 'Warning', 'Info'), { nil: undefined }),
  reason: fc.option(fc.constantFrom('', 'NotFound', 'Invalid'), { nil: undefined }),
  message: fc.option(fc.constantFrom('', 'This is so.', 'That is so.'), { nil: undefined }),
} as const;

/** For property tests: any state, also such as no well-behaved writer produces. */
export const anyState: fc.Arbitrary<ConditionState> = fc.record(fields);

/** For property tests: any stored condition. */
export const anyCondition: fc.Arbitrary<Condition> = fc.record({
  ...fields,
  lastTransitionTime: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
});
