import { describe, expect, it } from 'vitest';

import type { Json } from '../objects/api-object.ts';
import { goJsonKind, goSyntax, goText, goType } from './go-text.ts';

describe('values as Go prints them', () => {
  it.each<[Json, string, string, string]>([
    [null, '<nil>', 'interface {}(nil)', '<nil>'],
    [true, 'true', 'true', 'bool'],
    [5, '5', '5', 'int64'],
    [1.5, '1.5', '1.5', 'float64'],
    ['a "b"', 'a "b"', '"a \\"b\\""', 'string'],
    [[1, 'x', null], '[1 x <nil>]', '[]interface {}{1, "x", interface {}(nil)}', '[]interface {}'],
    [
      { b: [true], a: { z: 'x y' } },
      'map[a:map[z:x y] b:[true]]',
      'map[string]interface {}{"a":map[string]interface {}{"z":"x y"}, "b":[]interface {}{true}}',
      'map[string]interface {}',
    ],
  ])('%j', (value, text, syntax, type) => {
    expect(goText(value)).toBe(text);
    expect(goSyntax(value)).toBe(syntax);
    expect(goType(value)).toBe(type);
  });

  it.each<[Json, string]>([
    [null, 'null'],
    [[], 'array'],
    [{}, 'object'],
    ['', 'string'],
    [1, 'number'],
    [false, 'bool'],
  ])('kind of %j in JSON errors', (value, kind) => {
    expect(goJsonKind(value)).toBe(kind);
  });
});
