import { checkSchemaRules, compileSchemaRules, type JsonSchema, type SchemaRules } from '@klutch/cel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { celOf } from './cel-of.ts';
import { refusals } from './refusals.ts';
import type { Expression, Rule, Spec } from './rule.ts';

const texts = ['plan', 'service', 'compositionRef.name', 'parameters.mode', 'parameters.in'];
const comparable = ['plan', 'service', 'compositionRef.name', 'parameters.count', 'parameters.list'];
const fields = [...texts, 'parameters', 'parameters.count', 'parameters.list', 'compositionRef'];
const words = ['', 'a', 'b', 'it\'s "so"'];

const text = { type: 'string', maxLength: 63 };
const spec: JsonSchema = {
  type: 'object',
  properties: {
    plan: text,
    service: text,
    compositionRef: { type: 'object', properties: { name: text } },
    parameters: {
      type: 'object',
      properties: {
        mode: text,
        in: text,
        count: { type: 'integer' },
        list: { type: 'array', maxItems: 3, items: text },
      },
    },
  },
};

const time = fc.constantFrom('now', 'before', undefined);
const field = fc.constantFrom(...fields);
const expression: fc.Arbitrary<Expression> = fc.letrec<{ node: Expression }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant<Expression>({ is: 'created' }),
    fc.record({ is: fc.constant('set' as const), field, time }),
    fc.record({
      is: fc.constant('in' as const),
      field: fc.constantFrom(...texts),
      values: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 3 }),
      time,
    }),
    fc.record({ is: fc.constant('kept' as const), field: fc.constantFrom(...comparable) }),
    fc.record({ is: fc.constant('not' as const), of: tie('node') }),
    fc.record({ is: fc.constantFrom('all' as const, 'any' as const), of: fc.array(tie('node'), { maxLength: 3 }) }),
  ),
})).node;

const rule: fc.Arbitrary<Rule> = fc.record({
  id: fc.constant('rule'),
  field,
  asked: fc.constantFrom('always' as const, 'change' as const),
  holds: expression,
  message: fc.constant('Choose another value.'),
});

const word = fc.constantFrom(...words);
const someSpec: fc.Arbitrary<Spec> = fc.record(
  {
    plan: word,
    service: word,
    compositionRef: fc.record({ name: word }, { requiredKeys: [] }),
    parameters: fc.record(
      { mode: word, in: word, count: fc.integer({ min: 0, max: 1 }), list: fc.array(word, { maxLength: 2 }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

function schemaWith(rules: readonly Rule[]): JsonSchema {
  return { type: 'object', properties: { spec: { ...spec, 'x-kubernetes-validations': rules.map(celOf) } } };
}

const compiled = (rules: readonly Rule[]) => compileSchemaRules(schemaWith(rules)) as SchemaRules;

describe('rules', () => {
  it('give the same answer as CEL and without it', () => {
    const change = fc.oneof(fc.constant(undefined), someSpec, fc.constant('same' as const));
    fc.assert(
      fc.property(rule, someSpec, change, (one, now, earlier) => {
        const old = earlier === 'same' ? now : earlier;
        const byCel = compiled([one]).check({ spec: now }, old && { spec: old });
        const offline = refusals([one], now, old);
        expect(byCel).toEqual(offline.map(({ message }) => expect.objectContaining({ message }) as object));
      }),
      { numRuns: 3000 },
    );
  });

  it('are rules that Kubernetes accepts', () => {
    fc.assert(
      fc.property(rule, (one) => {
        expect(checkSchemaRules(schemaWith([one]))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('look back through optionalOldSelf only when they are asked at creation', () => {
    const looking: Rule = {
      id: 'plan',
      field: 'plan',
      asked: 'always',
      holds: { is: 'kept', field: 'plan' },
      message: 'x',
    };
    expect(celOf(looking)).toEqual({
      rule: 'has(self.plan) ? oldSelf.?plan.hasValue() && self.plan == oldSelf.value().plan : !oldSelf.?plan.hasValue()',
      message: 'x',
      fieldPath: '.plan',
      optionalOldSelf: true,
    });
    expect(celOf({ ...looking, asked: 'change' })).toEqual({
      rule: 'has(self.plan) ? oldSelf.?plan.hasValue() && self.plan == oldSelf.plan : !oldSelf.?plan.hasValue()',
      message: 'x',
      fieldPath: '.plan',
    });
  });
});
