import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';

const refusal = (path: string, integer: string) => ({
  code: 400,
  message:
    `${path}: ${integer} would not be kept exactly: this server keeps integers from -9007199254740991 to 9007199254740991; ` +
    'store larger ones as strings',
});

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('integers that would become other ones', () => {
  it.each([
    ['{"spec":{"big":9007199254740993}}', 'spec.big', '9007199254740993'],
    ['{"a":[1,{"b":2},[3,-9223372036854775808]]}', 'a[2][1]', '-9223372036854775808'],
    ['{"a":{"x":1},"b\\"{":9223372036854775807}', 'b"{', '9223372036854775807'],
    ['[{"a":[]},1152921504606846976]', '[1]', '1152921504606846976'],
    ['9007199254740993', 'the body', '9007199254740993'],
  ])('are refused in %s, with their place', (text, path, integer) => {
    expect(thrownBy(() => parseJson(text))).toMatchObject(refusal(path, integer));
  });

  it.each([
    ['spec:\n  big: 9007199254740993\n', 'spec.big', '9007199254740993'],
    ['a: &a [0x20000000000001]\nb: *a\n', 'a[0]', '9007199254740993'],
    ['{a: 9_007_199_254_740_993}', 'a', '9007199254740993'],
  ])('are refused in YAML: %s', (text, path, integer) => {
    expect(thrownBy(() => parseYaml(text))).toMatchObject(refusal(path, integer));
  });

  it.each([
    ['9007199254740992', 9_007_199_254_740_992],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['92233720368547758070', Number('92233720368547758070')],
    ['-92233720368547758089', Number('-92233720368547758089')],
    ['1e22', 1e22],
    ['0.12345678901234567890', 0.123_456_789_012_345_68],
    ['"9007199254740993"', '9007199254740993'],
    ['{"9007199254740993":1}', { '9007199254740993': 1 }],
  ])('are not %s', (text, value) => {
    expect(parseJson(text)).toMatchObject({ value });
    expect(parseYaml(`a: ${text}`)).toMatchObject({ value: { a: value } });
  });

  it('are none of those that come back as they were sent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), (integer) => {
        const text = `{"a":["x",${integer}]}`;
        const outcome = thrownBy(() => parseJson(text));
        const isSame = JSON.stringify(Number(integer)) === String(integer);
        const fits = integer >= -(2n ** 63n) && integer < 2n ** 63n;
        if (isSame || !fits) expect(outcome).toMatchObject({ value: { a: ['x', Number(integer)] } });
        else expect(outcome).toMatchObject(refusal('a[1]', String(integer)));
      }),
    );
  });

  it('may be keys of YAML, also twice', () => {
    expect(parseYaml('1: a\n1: b')).toEqual({
      value: { '1': 'b' },
      duplicates: ['yaml: unmarshal errors:\n  line 2: key 1 already set in map'],
    });
  });
});
