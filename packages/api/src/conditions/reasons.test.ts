import { describe, expect, it } from 'vitest';
import { ConditionType } from './condition-types.ts';
import * as reasons from './reasons.ts';

describe('condition types and reasons', () => {
  it.each(Object.entries({ ConditionType, ...reasons }))(
    'of %s are CamelCase and named after their value',
    (_, values) => {
      for (const [name, value] of Object.entries(values)) {
        expect(name).toBe(value);
        expect(value).toMatch(/^[A-Z][A-Za-z]+$/);
      }
    },
  );
});
