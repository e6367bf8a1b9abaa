import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkSchemaRules,
  compileSchemaRules,
  type JsonSchema,
  type RuleFailure,
  type ValidationRule,
} from '../index.ts';
import { fieldCase } from '../testing/index.ts';

/** A definition of claims as catalogues write them. */
const claims: JsonSchema = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: 'self.metadata.name.size() <= 20', message: 'the name is too long' }],
  properties: {
    spec: {
      type: 'object',
      required: ['plan'],
      properties: {
        plan: {
          type: 'string',
          maxLength: 63,
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'the plan cannot be changed' }],
        },
        size: { type: 'string', maxLength: 10 },
        users: {
          type: 'array',
          maxItems: 5,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string', maxLength: 20 }, quota: { type: 'integer' } },
            'x-kubernetes-validations': [
              {
                rule: '!has(oldSelf.quota) || self.quota >= oldSelf.quota',
                fieldPath: '.quota',
                reason: 'FieldValueForbidden',
              },
            ],
          },
        },
      },
      'x-kubernetes-validations': [
        {
          rule: "!has(self.size) || quantity(self.size).compareTo(quantity('1Gi')) >= 0",
          messageExpression: "'at least 1Gi, not ' + self.size",
        },
      ],
    },
  },
};

const claim = (spec: object, name = 'a') => ({ apiVersion: 'a/v1', kind: 'Claim', metadata: { name }, spec });

/** Failures as one reads them. */
const said = (failures: readonly RuleFailure[] | undefined) =>
  failures?.map(({ path, message }) => `${path || 'object'}: ${message}`);

describe('rules of a definition, without an API server', () => {
  const rules = compileSchemaRules(claims);

  it.each([
    ['nothing of what fits', claim({ plan: 'small', size: '2Gi' }), []],
    ['what a rule refuses, in its words', claim({ plan: 'small', size: '1Mi' }), ['spec: at least 1Gi, not 1Mi']],
    ['what is wrong with the whole object', claim({ plan: 'small' }, 'a'.repeat(21)), ['object: the name is too long']],
    [
      'that a rule cannot tell',
      claim({ plan: 'small', size: 'much' }),
      [expect.stringMatching(/^spec: .* evaluating rule: !has\(self.size\)/)],
    ],
  ])('say %s', (_, object, failures) => {
    expect(said(rules?.check(object))).toEqual(failures);
  });

  it('compare with the object before', () => {
    const before = claim({ plan: 'small', users: [{ name: 'a', quota: 2 }] });

    expect(said(rules?.check(claim({ plan: 'big' })))).toEqual([]);
    expect(said(rules?.check(claim({ plan: 'big' }), before))).toEqual(['spec.plan: the plan cannot be changed']);
    expect(rules?.check(claim({ plan: 'small', users: [{ name: 'b' }, { name: 'a', quota: 1 }] }), before)).toEqual([
      {
        path: 'spec.users[1].quota',
        reason: 'FieldValueForbidden',
        value: undefined,
        message: 'failed rule: !has(oldSelf.quota) || self.quota >= oldSelf.quota',
      },
    ]);
  });

  it('tolerate in an update what was wrong before and has not changed', () => {
    const before = claim({ plan: 'small', size: '1Mi' });
    const tolerated: RuleFailure[] = [];

    expect(rules?.checkUpdate(before, before, (failure) => tolerated.push(failure))).toEqual([]);
    expect(said(tolerated)).toEqual(['spec: at least 1Gi, not 1Mi']);
    expect(said(rules?.checkUpdate(claim({ plan: 'small', size: '2Mi' }), before))).toEqual([
      'spec: at least 1Gi, not 2Mi',
    ]);
  });

  it('are none in a schema without rules', () => {
    expect(compileSchemaRules({ type: 'object' })).toBeUndefined();
  });

  it('never end in anything but a failure, whatever they say and whatever the value is', () => {
    fc.assert(
      fc.property(fieldCase(3), ({ schema, trials }) => {
        const random = compileSchemaRules(schema, false);
        for (const { before, after } of trials) {
          random?.check(after);
          if (before) random?.checkUpdate(after, before.value);
        }
      }),
    );
  });
});

describe('what is wrong with the rules of a definition', () => {
  const withRule = (rule: ValidationRule, schema: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { a: { ...schema, 'x-kubernetes-validations': [rule] } },
  });
  const at = 'properties[a].x-kubernetes-validations[0]';
  const texts: JsonSchema = { type: 'array', maxItems: 1500, items: { type: 'string', maxLength: 5 } };
  const long: JsonSchema = { type: 'array', maxItems: 1500, items: texts };

  it('is nothing for the claims', () => {
    expect(checkSchemaRules(claims)).toEqual([]);
  });

  it.each<[string, ValidationRule, JsonSchema, string, string]>([
    ['do not compile', { rule: 'self > ' }, { type: 'integer' }, 'rule', 'Syntax error'],
    ['are of another type', { rule: 'self + 1' }, { type: 'integer' }, 'rule', 'must evaluate to a bool'],
    ['compare different types', { rule: "self == 'a'" }, { type: 'integer' }, 'rule', 'found no matching overload'],
    [
      'have messages that are none',
      { rule: 'self > 0', messageExpression: 'self' },
      { type: 'integer' },
      'messageExpression',
      'must evaluate to a string',
    ],
    [
      'cost too much',
      { rule: "self.all(l, l.all(t, t != 'a'))" },
      long,
      'rule',
      'estimated rule cost exceeds budget by factor of',
    ],
    [
      'do not use what they ask for',
      { rule: 'true', optionalOldSelf: true },
      { type: 'integer' },
      'optionalOldSelf',
      'may not be set if oldSelf is not used',
    ],
  ])('is that they %s', (_, rule, schema, field, message) => {
    expect(checkSchemaRules(withRule(rule, schema))).toEqual([
      expect.objectContaining({ path: `${at}.${field}`, message: expect.stringContaining(message) }),
    ]);
  });

  it('is that items of a list have no value before', () => {
    const items: JsonSchema = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };

    expect(checkSchemaRules({ type: 'object', properties: { a: { type: 'array', maxItems: 3, items } } })).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('uncorrelatable portion of the schema within properties[a]'),
      }),
    ]);
  });
});
