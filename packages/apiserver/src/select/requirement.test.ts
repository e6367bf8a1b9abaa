import { describe, expect, it } from 'vitest';

import { InvalidRequirement, type Operator, requirement, requirementText } from './requirement.ts';

describe('a requirement', () => {
  it.each<[Operator, string[], Record<string, string> | undefined, boolean]>([
    ['=', ['1'], { a: '1' }, true],
    ['==', ['1'], { a: '2' }, false],
    ['=', ['1'], undefined, false],
    ['!=', ['1'], { a: '1' }, false],
    ['!=', ['1'], {}, true],
    ['in', ['1', '2'], { a: '2' }, true],
    ['in', ['1', '2'], { a: '3' }, false],
    ['in', [''], { a: '' }, true],
    ['in', [''], {}, false],
    ['notin', ['1', '2'], { a: '2' }, false],
    ['notin', ['1', '2'], undefined, true],
    ['exists', [], { a: '' }, true],
    ['exists', [], { b: '' }, false],
    ['!', [], { b: '' }, true],
    ['!', [], { a: '' }, false],
    ['gt', ['5'], { a: '6' }, true],
    ['gt', ['5'], { a: '5' }, false],
    ['gt', ['5'], { a: '10' }, true],
    ['lt', ['5'], { a: '-10' }, true],
    ['lt', ['5'], { a: '' }, false],
    ['lt', ['5'], { a: '1.5' }, false],
    ['lt', ['5'], undefined, false],
  ])('%s %j of %j is %s', (operator, values, labels, holds) => {
    expect(requirement('a', operator, values).matches(labels)).toBe(holds);
  });

  it.each<[Operator, string[], string]>([
    ['=', ['y'], 'a=y'],
    ['==', ['y'], 'a==y'],
    ['!=', ['y'], 'a!=y'],
    ['in', ['y', 'x'], 'a in (x,y)'],
    ['notin', ['y'], 'a notin (y)'],
    ['exists', [], 'a'],
    ['!', [], '!a'],
    ['gt', ['1'], 'a>1'],
    ['lt', ['1'], 'a<1'],
  ])('%s %j is written as %s', (operator, values, text) => {
    expect(requirementText(requirement('a', operator, values))).toBe(text);
  });

  it.each<[Operator, string[], string]>([
    ['in', [], "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"],
    ['=', ['x', 'y'], 'values: Invalid value: ["x","y"]: exact-match compatibility requires one single value'],
    ['=', [], 'values: Invalid value: null: exact-match compatibility requires one single value'],
    ['!', ['x'], 'values: Invalid value: ["x"]: values set must be empty for exists and does not exist'],
    ['gt', ['1', '2'], `values: Invalid value: ["1","2"]: for 'Gt', 'Lt' operators, exactly one value is required`],
    ['lt', ['x'], `values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
  ])('%s %j is refused', (operator, values, message) => {
    expect(() => requirement('a', operator, values)).toThrow(InvalidRequirement);
    expect(() => requirement('a', operator, values)).toThrow(expect.objectContaining({ message }));
  });

  it('names several problems together', () => {
    expect(() => requirement('/a', '!', ['-'])).toThrow(
      /^\[key: Invalid value: "\/a": prefix part must be non-empty, values: .+, values\[0\]\[\/a\]: Invalid value: "-": .+\]$/,
    );
  });
});
