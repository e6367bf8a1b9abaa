import { describe, expect, it } from 'vitest';
import {
  type CompiledPolicy,
  compilePolicy,
  evaluatePolicy,
  jsonValue,
  type PolicyExpressions,
  type PolicyInput,
} from '../index.ts';

/** Claims may grow up to a limit that the operator sets, and stay with their owner. */
const policy: PolicyExpressions = {
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  matchConditions: [{ name: 'not-by-the-system', expression: "!request.userInfo.username.startsWith('system:')" }],
  variables: [{ name: 'max', expression: 'int(params.data.maxReplicas)' }],
  validations: [
    {
      expression: 'object.spec.replicas <= variables.max',
      messageExpression: "'at most ' + string(variables.max) + ' replicas'",
    },
    {
      expression: "request.operation != 'UPDATE' || object.spec.owner == oldObject.spec.owner",
      message: 'the owner stays',
    },
  ],
};

interface Change {
  readonly object: object;
  readonly old?: object;
  readonly username?: string;
}

function inputOf({ object, old, username = 'jane' }: Change): PolicyInput {
  const request = jsonValue({ operation: old ? 'UPDATE' : 'CREATE', userInfo: { username } });
  return {
    object: jsonValue(object),
    oldObject: jsonValue(old),
    namespaceObject: null,
    request,
    unmatchedRequest: request,
    params: jsonValue({ data: { maxReplicas: '3' } }),
    authorizer: undefined,
  };
}

const objections = (compiled: CompiledPolicy, change: Change) =>
  evaluatePolicy(compiled, inputOf(change), false).map(({ message }) => message);

const claim = (replicas: number, owner = 'a') => ({ spec: { replicas, owner } });

describe('a policy without an API server', () => {
  const compiled = compilePolicy(policy);

  it.each<[string, Change, readonly string[]]>([
    ['admits what fits', { object: claim(3) }, []],
    ['computes its messages', { object: claim(4) }, ['at most 3 replicas']],
    ['sees the object before', { object: claim(1, 'b'), old: claim(1) }, ['the owner stays']],
    ['has nothing to say where its conditions do not hold', { object: claim(4), username: 'system:admin' }, []],
    [
      'says which expression cannot be computed',
      { object: { spec: {} } },
      ["expression 'object.spec.replicas <= variables.max' resulted in error: no such key: replicas"],
    ],
  ])('%s', (_, change, messages) => {
    expect(objections(compiled, change)).toEqual(messages);
  });

  it('tells what is wrong with its expressions', () => {
    const { validations, variables } = compilePolicy({
      variables: [{ name: 'size', expression: 'object.spec.size +' }],
      validations: [{ expression: 'request.operation == 1 || params.max == 1' }],
    });

    expect(variables[0]?.expression).toMatchObject({ problem: expect.stringContaining('Syntax error') });
    expect(validations[0]?.expression).toMatchObject({
      problem: expect.stringMatching(/found no matching overload for '_==_'[^]*undeclared reference to 'params'/),
    });
  });
});
