import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateFields } from './duplicate-fields.ts';

describe('duplicateFields', () => {
  it.each([
    ['{"a":1,"b":{"a":2}}', []],
    ['{"a":1,"a":2}', ['a']],
    ['{"spec":{"size":1,"x":[{"y":1},{"y":1,"y":2}],"size":3}}', ['spec.x[1].y', 'spec.size']],
    ['{"a":"a","b":["a","a"],"c":{"a":"{\\"a\\":1,\\"a\\":2}"}}', []],
    ['{"\\u0061":1,"a":2}', ['a']],
    ['{"a":1,"a":2,"a":3}', ['a']],
    ['[{"a":1,"a":1}]', ['[0].a']],
    ['"text"', []],
  ])('%s has %j', (text, expected) => {
    expect(duplicateFields(text)).toEqual(expected);
  });

  it('finds none in what a serialiser wrote', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(duplicateFields(text)).toEqual([]);
      }),
    );
  });
});
