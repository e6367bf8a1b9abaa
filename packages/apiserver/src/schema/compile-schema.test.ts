import { describe, expect, it } from 'vitest';
import type { JsonSchema, ValidationRule } from '@klutch/cel';
import { compileSchema } from './compile-schema.ts';

const ofSpec = (spec: JsonSchema) => compileSchema({ type: 'object', properties: { spec } });
const words = (causes: readonly { readonly field: string; readonly message: string }[]) =>
  causes.map(({ field, message }) => `${field}: ${message}`);

describe('rules with an optional old value', () => {
  const spec = (rule: string): JsonSchema => ({
    type: 'object',
    properties: {
      a: { type: 'string' },
      'c-d': { type: 'string' },
      day: { type: 'string', format: 'date' },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    'x-kubernetes-validations': [{ rule, optionalOldSelf: true }],
  });
  const value = { a: 'a', 'c-d': 'b', day: '2024-02-29', set: ['x', 'y'] };

  it.each([
    ["oldSelf.value().a == 'a'", []],
    ["oldSelf.?a.orValue('') == 'a'", []],
    // As read from JSON, without the names and types that the schema gives.
    ["oldSelf.value().c__dash__d == 'b'", ['no such key: c__dash__d']],
    ['has(oldSelf.c__dash__d)', ['failed rule']],
    ["self.c__dash__d == 'b' && oldSelf.hasValue()", []],
    ['self.day == oldSelf.value().day', ['failed rule']],
    ['oldSelf.value().set == ["y", "x"]', ['failed rule']],
    ['self.set == oldSelf.value().set', []],
  ])('%s', (rule, problems) => {
    const found = words(ofSpec(spec(rule)).validate({ spec: value }, { spec: value }));

    expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  });

  it('have a value also when it cannot be read, and fail only when they want it', () => {
    const check = (rule: string) =>
      words(
        ofSpec({ type: 'integer', 'x-kubernetes-validations': [{ rule, optionalOldSelf: true }] }).validate(
          { spec: 1 },
          { spec: true },
        ),
      );

    expect(check('oldSelf.hasValue()')).toEqual([]);
    expect(check('oldSelf.value() == 1')).toEqual([
      expect.stringContaining(
        'unsupported conversion to ref.Val: (*errors.errorString)invalid data, expected int, got bool',
      ),
    ]);
  });
});

describe('rules that were broken before', () => {
  const rule = (more: Partial<ValidationRule>) => ({ rule: 'self > 1', ...more });
  const number = (...rules: ValidationRule[]) => ofSpec({ type: 'integer', 'x-kubernetes-validations': rules });

  it.each<[Partial<ValidationRule>, string]>([
    [{}, 'spec: Invalid value: 0: failed rule: self > 1'],
    [{ message: 'too small', reason: 'FieldValueForbidden' }, 'spec: Forbidden: too small'],
    [{ messageExpression: "'is ' + string(self)" }, 'spec: Invalid value: 0: is 0'],
  ])('are tolerated with a warning when the value stays: %j', (more, warning) => {
    const warnings: string[] = [];

    expect(number(rule(more)).validate({ spec: 0 }, { spec: 0 }, (text) => warnings.push(text))).toEqual([]);
    expect(warnings).toEqual([warning]);
  });

  it('are not tolerated when the value changes, nor when they compare with the old one', () => {
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);

    expect(number(rule({})).validate({ spec: 0 }, { spec: 1 }, warn)).toHaveLength(1);
    expect(number({ rule: 'self > oldSelf' }).validate({ spec: 0 }, { spec: 0 }, warn)).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});

describe('the status by itself', () => {
  const schema = compileSchema({
    type: 'object',
    properties: { spec: { type: 'integer' }, status: { type: 'object', properties: { a: { type: 'integer' } } } },
  });

  it('is checked without the rest of the object, and messages begin at it', () => {
    const old = { spec: 'x', status: {} };

    expect(schema.validateStatus({ spec: 'x', status: { a: 1 } }, old)).toEqual([]);
    expect(words(schema.validateStatus({ spec: 'x', status: { a: 'b' } }, old))).toEqual([
      'status.a: Invalid value: "string": a in body must be of type integer: "string"',
    ]);
  });
});

describe('sets with items that cannot be compared', () => {
  it('fail the first comparison only', () => {
    const same = { rule: 'self == oldSelf' };
    const schema = compileSchema({
      type: 'object',
      properties: {
        set: {
          type: 'array',
          items: { type: 'string' },
          'x-kubernetes-list-type': 'set',
          'x-kubernetes-validations': [same, same],
        },
      },
    });
    const object = { set: ['a', ['a']] };

    expect(words(schema.validateStatus(object, structuredClone(object)))).toEqual([
      expect.stringContaining('hash of unhashable type []interface {}'),
      expect.stringContaining('failed rule: self == oldSelf'),
    ]);
  });
});

describe('comparisons', () => {
  const holds = (schema: JsonSchema, rule: string, value: unknown, old = value) => {
    const spec = { ...schema, 'x-kubernetes-validations': [{ rule }] };
    return words(ofSpec(spec).validateStatus({ spec: value }, { spec: old }));
  };

  it('of lists that a rule makes pass over elements that cannot be compared', () => {
    const open: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-validations': [{ rule: '[self] == [oldSelf.value()]', optionalOldSelf: true }],
    };
    const [one, two] = [{ spec: { a: 'a', unknown: 1 } }, { spec: { a: 'a', unknown: 2 } }];

    expect(words(ofSpec(open).validate(one, two))).toEqual([]);
    expect(words(ofSpec(open).validate({ spec: { a: 'b' } }, { spec: { a: 'a' } }))).toHaveLength(1);
  });

  it('of sums of keyed lists know items of the same key', () => {
    const keyed: JsonSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string' } } },
    };
    const [one, two] = [
      { k: 'a', v: '1' },
      { k: 'a', v: '2' },
    ];

    expect(holds(keyed, '(self + oldSelf).size() == 1', [one], [two])).toEqual([]);
    expect(holds(keyed, '(self + self).size() == 2', [one, two])).toEqual([]);
  });

  it('of bytes fail for what is no base64', () => {
    expect(holds({ type: 'string', format: 'byte' }, "self == b'abc'", 'YWJ')).toEqual([
      'spec: Invalid value: "string": Invalid byte formatted string YWJ: illegal base64 data at input byte 0 evaluating rule: self == b\'abc\'',
    ]);
  });
});

describe('the metadata of embedded resources', () => {
  const schema = ofSpec({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  });
  const holder = (metadata: unknown) => ({
    apiVersion: 'example.org/v1',
    kind: 'Holder',
    spec: { apiVersion: 'v1', kind: 'Pod', metadata },
  });

  it.each([
    [
      { annotations: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.annotations of type string',
    ],
    [
      { creationTimestamp: 'soon' },
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    ],
  ])('must be readable in an object that is sent: %j', (metadata, problem) => {
    const refusal = `Holder in version "v1" cannot be handled as a Holder: spec.metadata: Invalid value: ${JSON.stringify(metadata)}: ${problem}`;

    expect(() => schema.prune(holder(metadata))).toThrow(refusal);
  });

  it('loses what cannot be read in an object that comes from storage', () => {
    const object = holder({ name: 'a', annotations: { a: 1 }, creationTimestamp: 'soon' });

    schema.prune(object, { isStored: true });

    expect(object.spec.metadata).toEqual({ name: 'a' });
  });

  it('goes when it is null and the schema declares it, and is empty otherwise', () => {
    const declared = ofSpec({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { metadata: { type: 'object' } },
    });
    const [one, two] = [holder(null), holder(null)];

    declared.prune(one);
    schema.prune(two);

    expect(one.spec).toEqual({ apiVersion: 'v1', kind: 'Pod' });
    expect(two.spec.metadata).toEqual({});
  });
});

describe('parts of a time in a time zone', () => {
  it.each([
    ['0000-01-01T00:00:00Z', "self.getDayOfWeek('Europe/Berlin') == 6"],
    ['0050-12-31T12:00:00Z', 'self.getDayOfYear() == 364'],
    ['1800-01-01T00:00:00Z', "self.getSeconds('Europe/Berlin') == 28"],
    ['2024-07-31T23:59:59Z', "self.getHours('America/New_York') == 19 && self.getMinutes('Asia/Kathmandu') == 44"],
    ['2024-07-31T23:59:59Z', "self.getHours('-02:30') == 21"],
  ])('%s: %s', (spec, rule) => {
    const schema = ofSpec({ type: 'string', format: 'date-time', 'x-kubernetes-validations': [{ rule }] });

    expect(words(schema.validate({ spec }))).toEqual([]);
  });
});
