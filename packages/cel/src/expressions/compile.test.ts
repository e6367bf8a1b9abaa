import { describe, expect, it } from 'vitest';
import {
  BOOL,
  compile,
  DYN,
  type Environment,
  EvalError,
  type Expression,
  INT,
  type JsonSchema,
  jsonValue,
  listOf,
  mustBe,
  type SchemaVariable,
  schemaVariable,
  STRING,
} from '../index.ts';

/** An expression that must compile. */
function compiled(source: string, environment: Environment): Expression {
  const expression = compile(source, environment);
  if ('problem' in expression) throw new Error(expression.problem);
  return expression;
}

function problemOf(source: string, environment: Environment): string | undefined {
  const expression = compile(source, environment);
  return 'problem' in expression ? expression.problem : undefined;
}

/** A variable of a schema that says something about its values. */
function variableOf(schema: JsonSchema, isResource = false): SchemaVariable {
  const variable = schemaVariable(schema, isResource);
  if (!variable) throw new Error('the schema has no type');
  return variable;
}

const object: Environment = { variables: { object: DYN }, result: mustBe(BOOL) };

describe('an expression that says when an object is ready', () => {
  const ready = compiled("object.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')", object);
  const withConditions = (...conditions: readonly object[]) => jsonValue({ kind: 'Release', status: { conditions } });

  it.each([
    ['the condition is true', true, withConditions({ type: 'Ready', status: 'True' })],
    ['another one is true', false, withConditions({ type: 'Synced', status: 'True' })],
    ['it is false', false, withConditions({ type: 'Synced', status: 'True' }, { type: 'Ready', status: 'False' })],
    ['there is none yet', false, withConditions()],
  ])('when %s: %s', (_, verdict, value) => {
    expect(ready.run({ object: value })).toBe(verdict);
  });

  it.each([
    ['has no status yet', 'no such key: status', jsonValue({ kind: 'Release' })],
    ['is not there', 'no such attribute(s)', undefined],
  ])('says why it cannot tell of an object that %s', (_, message, value) => {
    expect(ready.run({ object: value })).toEqual(new EvalError(message));
  });

  it('counts in whole numbers and reads quantities', () => {
    const enough = "object.status.readyReplicas >= 2 && quantity(object.status.size).isLessThan(quantity('2Gi'))";

    expect(compiled(enough, object).run({ object: jsonValue({ status: { readyReplicas: 2, size: '1Gi' } }) })).toBe(
      true,
    );
  });
});

describe('an expression that cannot run', () => {
  it.each([
    ['is not CEL', 'object.', 'compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input'],
    ['names what is not there', 'subject.name', "undeclared reference to 'subject'"],
    ['results in something else', '1 + 1', 'must evaluate to bool but got int'],
    ['has a pattern that is none', "'a'.find('(') == ''", 'program instantiation failed: error parsing regexp'],
  ])('says that it %s', (_, source, problem) => {
    expect(problemOf(source, object)).toContain(problem);
  });

  it('names all types that would do', () => {
    const environment = { variables: {}, result: mustBe(STRING, BOOL) };

    expect(problemOf('1', environment)).toBe('must evaluate to one of [string bool] but got int');
    expect(problemOf("'a'", environment)).toBeUndefined();
  });
});

describe('types of variables', () => {
  const spec = variableOf({
    type: 'object',
    properties: { size: { type: 'integer' }, until: { type: 'string', format: 'date-time' } },
  });

  it('come from a schema, and so do their values', () => {
    const environment = { variables: { spec: spec.type } };
    const inTime = compiled("spec.until > timestamp('2026-01-01T00:00:00Z')", environment);

    expect(inTime.run({ spec: spec.value({ until: '2026-11-16T03:00:00Z' }) })).toBe(true);
    expect(inTime.run({ spec: spec.value('later') })).toEqual(
      new EvalError('invalid data, expected a map for the provided schema with type=object'),
    );
    expect(problemOf("spec.size == 'a'", environment)).toContain("found no matching overload for '_==_'");
    expect(problemOf('spec.colour', environment)).toContain("undefined field 'colour'");
  });

  it('include what every resource has', () => {
    const claim = variableOf({ type: 'object' }, true);
    const named = compiled("claim.metadata.name == 'a' && claim.kind == 'Claim'", { variables: { claim: claim.type } });

    expect(named.run({ claim: claim.value({ kind: 'Claim', metadata: { name: 'a' } }) })).toBe(true);
  });

  it('need a schema that says something', () => {
    expect(schemaVariable({ 'x-kubernetes-preserve-unknown-fields': true })).toBeUndefined();
  });

  it('bound what an expression can cost', () => {
    const cost = (variables: Environment['variables']) => compiled("v.all(n, n != '')", { variables }).maxCost;
    const names = variableOf({ type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } }).type;

    expect(cost({ v: names })).toBeLessThan(100);
    expect(cost({ v: names, w: listOf(STRING) })).toBe(cost({ v: names }));
    expect(cost({ v: listOf(STRING), w: names })).toBe(Number.POSITIVE_INFINITY);
  });

  it('are told of the result, with the variables that it depends on', () => {
    const expression = compiled('a + 1', { variables: { a: INT, b: INT } });

    expect(expression.type).toEqual(INT);
    expect([...expression.uses]).toEqual(['a']);
  });
});

describe('a budget', () => {
  const loop = compiled('lists.range(3).all(i, i >= 0)', { variables: {} });

  it('is used up by steps of loops, over several runs', () => {
    const budget = { left: 7 };

    expect(loop.run({}, budget)).toBe(true);
    expect(loop.run({}, budget)).toBe(true);
    expect(budget.left).toBe(1);
    expect(loop.run({}, budget)).toEqual(new EvalError('operation cancelled: actual cost limit exceeded'));
  });

  it('ends an expression whatever else could decide it', () => {
    const either = compiled('lists.range(3).all(i, i >= 0) || true', { variables: {} });

    expect(either.run({}, { left: 1 })).toBeInstanceOf(EvalError);
    expect(either.run({})).toBe(true);
  });
});
