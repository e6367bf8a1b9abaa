import { describe, expect, it } from 'vitest';

import { allValues, firstValue } from './request-headers.ts';

describe('headers of a request', () => {
  const sent = Buffer.from('grüße ☃', 'utf8').toString('latin1');
  const headers = { one: ['a'], many: ['a', 'b'], umlauts: [sent], none: undefined };

  it('have a first value, or an empty one', () => {
    expect(firstValue(headers, 'many')).toBe('a');
    expect(firstValue(headers, 'none')).toBe('');
    expect(firstValue(headers, 'other')).toBe('');
  });

  it('have all their values', () => {
    expect(allValues(headers, 'many')).toEqual(['a', 'b']);
    expect(allValues(headers, 'none')).toEqual([]);
  });

  it('are UTF-8', () => {
    expect(firstValue(headers, 'umlauts')).toBe('grüße ☃');
    expect(allValues(headers, 'umlauts')).toEqual(['grüße ☃']);
  });
});
