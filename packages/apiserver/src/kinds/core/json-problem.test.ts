import { describe, expect, it } from 'vitest';
import { jsonProblem } from './json-problem.ts';

describe('jsonProblem', () => {
  it.each(['{}', ' {"a": 1} ', 'null'])('finds nothing wrong with %j', (text) => {
    expect(jsonProblem(text)).toBeUndefined();
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['xx', "invalid character 'x' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    ['"a"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
    ['5', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
  ])('says of %j: %s', (text, problem) => {
    expect(jsonProblem(text)).toBe(problem);
  });
});
