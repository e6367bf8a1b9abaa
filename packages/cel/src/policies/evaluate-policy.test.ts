import { describe, expect, it } from 'vitest';
import { AuthorizerValue, ResourceCheck } from '../library/authorizer.ts';
import { jsonValue } from '../values/json.ts';
import { compilePolicy } from './compile-policy.ts';
import { evaluatePolicy, type PolicyInput } from './evaluate-policy.ts';
import type { PolicyExpressions } from './policy.ts';

const ask = () => ({ allowed: false, reason: 'because' });

const input: PolicyInput = {
  object: jsonValue({ spec: { size: 3, tags: ['a', 'b'], none: null } }),
  oldObject: null,
  namespaceObject: jsonValue({ metadata: { name: 'here' } }),
  request: jsonValue({ operation: 'CREATE', resource: { version: 'v1' } }),
  unmatchedRequest: jsonValue({ operation: 'CREATE', resource: { version: 'v2' } }),
  params: jsonValue({ max: 2 }),
  authorizer: [new AuthorizerValue(ask), new ResourceCheck(ask, { group: '', resource: 'pods' })],
};

const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };

function messages(spec: PolicyExpressions, isFailureIgnored = false): readonly string[] {
  return evaluatePolicy(compilePolicy({ paramKind, ...spec }), input, isFailureIgnored).map(({ message }) => message);
}

const objectionsTo = (expression: string, more: PolicyExpressions = {}) =>
  messages({ validations: [{ expression, message: 'no' }], ...more });

describe('evaluatePolicy', () => {
  it.each([
    ['numbers of objects are whole', 'object.spec.size == 3'],
    ['fields that are null are there', 'has(object.spec.none) && object.spec.none == null'],
    ['lists keep their order', "object.spec.tags == ['a', 'b'] && object.spec.tags != ['b', 'a']"],
    ['things of different types differ', "object.spec.tags != 'a' && object.spec != ['a']"],
    ['maps are equal by their entries', "object.spec == {'size': dyn(3), 'tags': dyn(['a', 'b']), 'none': dyn(null)}"],
    ['parameters are there', 'params.max == 2'],
    ['there is no old object', 'oldObject == null && !has(oldObject.spec)'],
    ['nothing is allowed', "!authorizer.group('apps').resource('pods').name('a').check('get').allowed()"],
    ['reasons are told', "authorizer.requestResource.subresource('log').check('get').reason() == 'because'"],
  ])('sees that %s', (_, expression) => {
    expect(objectionsTo(expression)).toEqual([]);
  });

  it('looks at conditions first, by the resource of the request', () => {
    const condition = (version: string) => [{ name: 'v', expression: `request.resource.version == '${version}'` }];

    expect(objectionsTo('false', { matchConditions: condition('v2') })).toEqual(['no']);
    expect(objectionsTo('false', { matchConditions: condition('v1') })).toEqual([]);
  });

  it('computes a variable once, and only when it is used', () => {
    const variables = [
      { name: 'broken', expression: 'object.spec.nothing' },
      { name: 'double', expression: 'object.spec.size * 2' },
    ];

    expect(objectionsTo('variables.double == 6 || variables.broken == 1', { variables })).toEqual([]);
    expect(objectionsTo('variables.broken == 1', { variables })).toEqual([
      `expression 'variables.broken == 1' resulted in error: composited variable "broken" fails to evaluate: no such key: nothing`,
    ]);
  });

  it('does not let messages use what variables learn of rights', () => {
    const spec = {
      variables: [{ name: 'may', expression: "authorizer.path('/a').check('get').allowed()" }],
      validations: [
        { expression: 'variables.may', message: 'fixed', messageExpression: "'may: ' + string(variables.may)" },
      ],
    };

    expect(messages(spec)).toEqual(['fixed']);
  });

  it('ends loops that take more than a million steps', () => {
    const expression = 'lists.range(1001).all(a, lists.range(1001).all(b, a + b >= 0) || true)';

    expect(objectionsTo(expression)).toEqual([
      `expression '${expression}' resulted in error: operation cancelled: actual cost limit exceeded`,
    ]);
  });

  it('ignores failures, but not objections, when told to', () => {
    const validations = [{ expression: 'object.nothing == 1' }, { expression: 'false', message: 'no' }];

    expect(messages({ validations }, true)).toEqual(['no']);
    expect(messages({ auditAnnotations: [{ key: 'a', valueExpression: 'string(object.nothing)' }] }, true)).toEqual([]);
  });
});
