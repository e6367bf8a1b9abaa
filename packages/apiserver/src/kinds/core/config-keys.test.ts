import { describe, expect, it } from 'vitest';
import { keyCauses, sizeCauses } from './config-keys.ts';

const problems = (key: string) => keyCauses({ [key]: 'value' }, 'data').map(({ message }) => message.split('": ')[1]);

describe('a key of a secret or config map', () => {
  it.each(['a', 'KEY_NAME', 'key-name', 'key.name', '.hidden', '-', 'k'.repeat(253)])('may be %s', (key) => {
    expect(problems(key)).toEqual([]);
  });

  it.each([
    ['k'.repeat(254), 'must be no more than 253 characters'],
    ['.', "must not be '.'"],
    ['..', "must not be '..'"],
    ['..x', "must not start with '..'"],
  ])('may not be %s', (key, problem) => {
    expect(problems(key)).toEqual([problem]);
  });

  it.each(['', 'a b', 'a/b', 'ü'])('has letters that file names have, unlike %j', (key) => {
    expect(problems(key)).toEqual([expect.stringMatching(/^a valid config key must consist of/)]);
  });

  it('is named with the field that it is in', () => {
    expect(keyCauses({ '..': '' }, 'binaryData').map(({ field }) => field)).toEqual(['binaryData[..]']);
  });
});

describe('all values together', () => {
  it('hold a megabyte', () => {
    expect(sizeCauses(1_048_576, 'data')).toEqual([]);
    expect(sizeCauses(1_048_577, 'data')).toEqual([
      { reason: 'FieldValueTooLong', field: 'data', message: 'Too long: may not be more than 1048576 bytes' },
    ]);
  });
});
