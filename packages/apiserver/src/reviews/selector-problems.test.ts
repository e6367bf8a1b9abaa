import { describe, expect, it } from 'vitest';

import { selectorProblems } from './selector-problems.ts';

const ignored = (name: string, how = 'ignored') => `spec.resourceAttributes.${name} ${how} due to parse error`;
const requirement = (key: string, operator: string, ...values: string[]) => ({ key, operator, values });

describe('selectors in a question', () => {
  it.each([
    [{}, ''],
    [{ fieldSelector: { rawSelector: 'metadata.name=x' }, labelSelector: { rawSelector: 'a in (b,c),!d' } }, ''],
    [{ fieldSelector: { rawSelector: 'nonsense' } }, ignored('fieldSelector')],
    [{ labelSelector: { rawSelector: 'a=(' } }, ignored('labelSelector')],
    [
      { labelSelector: { rawSelector: '=' }, fieldSelector: { rawSelector: 'x' } },
      `${ignored('fieldSelector')}; ${ignored('labelSelector')}`,
    ],
    [{ fieldSelector: { requirements: [requirement('a', 'In', 'x'), requirement('a', 'NotIn', 'y')] } }, ''],
    [{ fieldSelector: { requirements: [requirement('a', 'In', 'x', 'y')] } }, ignored('fieldSelector')],
    [{ fieldSelector: { requirements: [requirement('a', 'Exists')] } }, ignored('fieldSelector')],
    [
      { fieldSelector: { requirements: [requirement('a', 'In', 'x'), requirement('a', 'Future', 'y')] } },
      ignored('fieldSelector', 'partially ignored'),
    ],
    [{ labelSelector: { requirements: [requirement('a', 'In', 'x', 'y'), requirement('b', 'DoesNotExist')] } }, ''],
    [{ labelSelector: { requirements: [requirement('a', 'Future')] } }, ignored('labelSelector')],
    [{ labelSelector: { requirements: [requirement('a', 'constructor')] } }, ignored('labelSelector')],
    [
      { labelSelector: { requirements: [requirement('a', 'Exists'), requirement('bad key', 'Exists')] } },
      ignored('labelSelector', 'partially ignored'),
    ],
  ])('%j: %j', (question, expected) => {
    expect(selectorProblems(question)).toBe(expected);
  });
});
