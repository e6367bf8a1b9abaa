import { describe, expect, it } from 'vitest';

import type { ApiObject, Metadata } from '../objects/api-object.ts';
import { dayOf, isLastUsedStale, judgeLegacyToken } from './legacy-token.ts';
import { LEGACY_CLAIMS } from './token-claims.ts';

const claims = {
  sub: 'system:serviceaccount:a:robot',
  [LEGACY_CLAIMS.namespace]: 'a',
  [LEGACY_CLAIMS.secretName]: 'tok',
  [LEGACY_CLAIMS.accountName]: 'robot',
  [LEGACY_CLAIMS.accountUid]: 'u',
};
const TOKEN = 'the.token.itself';
const secret = (metadata: Metadata = {}, token: string | undefined = TOKEN): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tok', namespace: 'a', ...metadata },
  data: { token: Buffer.from(token).toString('base64') },
});
const account = (metadata: Metadata = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'a', uid: 'u', ...metadata },
});
const judge = (one: ApiObject | undefined = secret(), other: ApiObject | undefined = account()) =>
  judgeLegacyToken(TOKEN, claims, {
    secret: () => one,
    serviceAccount: () => other,
    pod: () => undefined,
    node: () => undefined,
  });
const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('a token from a Secret', () => {
  it('is that of its account while both are there', () => {
    expect(judge()).toEqual({
      user: {
        name: 'system:serviceaccount:a:robot',
        uid: 'u',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:a'],
      },
      secret: secret(),
    });
  });

  it.each<[string, ApiObject, ApiObject | undefined, string]>([
    ['the Secret is being deleted', secret({ deletionTimestamp }), account(), 'Token has been invalidated'],
    ['the Secret holds another token', secret({}, 'another'), account(), "Token does not match server's copy"],
    ['the Secret holds none', { ...secret(), data: undefined }, account(), "Token does not match server's copy"],
    [
      'the account is being deleted',
      secret(),
      account({ deletionTimestamp }),
      'ServiceAccount a/robot has been deleted',
    ],
    ['the account is another one', secret(), account({ uid: 'v' }), 'ServiceAccount UID (v) does not match claim (u)'],
  ])('is worth nothing when %s', (_, one, other, problem) => {
    expect(judge(one, other)).toEqual({ problem });
  });

  it('is worth nothing when the account is gone', () => {
    const objects = {
      secret: () => secret(),
      serviceAccount: () => undefined,
      pod: () => undefined,
      node: () => undefined,
    };
    expect(judgeLegacyToken(TOKEN, claims, objects)).toEqual({ problem: 'serviceaccounts "robot" not found' });
  });
});

describe('the day of last use', () => {
  const now = new Date('2026-05-31T23:59:59Z');
  const used = (day?: string) =>
    secret(day === undefined ? {} : { labels: { 'kubernetes.io/legacy-token-last-used': day } });

  it('is written as a date', () => {
    expect(dayOf(now)).toBe('2026-05-31');
  });

  it('is to be written unless it says today, or tomorrow where the clock is ahead', () => {
    expect(isLastUsedStale(used(), now)).toBe(true);
    expect(isLastUsedStale(used('2026-05-30'), now)).toBe(true);
    expect(isLastUsedStale(used('2026-05-31'), now)).toBe(false);
    expect(isLastUsedStale(used('2026-06-01'), now)).toBe(false);
    expect(isLastUsedStale(used('2026-06-02'), now)).toBe(true);
  });
});
