import { describe, expect, it } from 'vitest';

import type { ApiObject, Metadata } from '../objects/api-object.ts';
import { judgeBoundToken } from './bound-token.ts';
import type { BoundClaims, TokenClaims } from './token-claims.ts';
import type { TokenObjects } from './token-objects.ts';

const NOW = 1_800_000_000;
const now = new Date(NOW * 1_000);
const at = (seconds: number) => new Date((NOW + seconds) * 1_000).toISOString();
const object = (metadata: Metadata): ApiObject => ({ apiVersion: 'v1', kind: 'Any', metadata });

interface World {
  readonly account?: Metadata;
  readonly secret?: Metadata;
  readonly pod?: Metadata;
  readonly node?: Metadata;
}
const objectsOf = ({ account = { uid: 'u' }, secret, pod, node }: World): TokenObjects => ({
  serviceAccount: () => object(account),
  secret: () => secret && object(secret),
  pod: () => pod && object(pod),
  node: () => node && object(node),
});
const judge = (claims: TokenClaims, bound: Partial<BoundClaims> = {}, world: World = {}) =>
  judgeBoundToken(
    { ...claims, 'kubernetes.io': { namespace: 'a', serviceaccount: { name: 'r', uid: 'u' }, ...bound } },
    objectsOf(world),
    now,
  );
const problemOf = (verdict: ReturnType<typeof judge>) => ('problem' in verdict ? verdict.problem : undefined);

describe('the time of a token', () => {
  // Clocks may be a minute apart, so the limits are a minute off.
  it.each([
    [{ exp: NOW - 60 }, undefined],
    [{ exp: NOW - 61 }, 'service account token has expired'],
    [{ nbf: NOW + 60 }, undefined],
    [{ nbf: NOW + 61 }, 'service account token is not valid yet'],
    [{ iat: NOW + 60 }, undefined],
    [{ iat: NOW + 61 }, 'service account token is issued in the future'],
    [{ nbf: NOW + 61, exp: NOW - 61 }, 'service account token is not valid yet'],
    [{}, undefined],
  ])('%j ends in %j', (claims, expected) => {
    expect(problemOf(judge(claims))).toBe(expected);
  });
});

describe('what a token is about', () => {
  it('may be on its way out for a minute', () => {
    const account = (seconds: number) => ({ account: { uid: 'u', deletionTimestamp: at(seconds) } });
    expect(problemOf(judge({}, {}, account(-59)))).toBeUndefined();
    expect(problemOf(judge({}, {}, account(-61)))).toBe('service account a/r has been deleted');
  });

  it.each(['secret', 'pod', 'node'] as const)('a %s may be on its way out for a minute', (kind) => {
    const bound = { [kind]: { name: 'x', uid: 'x' } };
    const world = (seconds: number) => ({ [kind]: { uid: 'x', deletionTimestamp: at(seconds) } });
    expect(problemOf(judge({}, bound, world(-59)))).toBeUndefined();
    expect(problemOf(judge({}, bound, world(-61)))).toBe('service account token has been invalidated');
  });

  it('does not depend on the node of a pod', () => {
    const bound = { pod: { name: 'p', uid: 'p' }, node: { name: 'gone', uid: 'gone' } };
    const verdict = judge({}, bound, { pod: { uid: 'p' } });
    expect(verdict).toMatchObject({ user: { extra: { 'authentication.kubernetes.io/node-name': ['gone'] } } });
  });
});

describe('the user behind a token', () => {
  it('has no extra when there is nothing to say', () => {
    expect(judge({})).toEqual({
      user: {
        name: 'system:serviceaccount:a:r',
        uid: 'u',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:a'],
      },
    });
  });

  it('may be on a node of which only the name is known', () => {
    const verdict = judge({}, { pod: { name: 'p', uid: 'p' }, node: { name: 'n' } }, { pod: { uid: 'p' } });
    expect(verdict).toHaveProperty('user.extra', {
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['p'],
    });
  });
});
