import { describe, expect, it } from 'vitest';

import { parseServiceAccountUsername, serviceAccountGroups, serviceAccountUsername } from './service-account-user.ts';

describe('the user name of a service account', () => {
  it('tells its namespace and name', () => {
    expect(parseServiceAccountUsername(serviceAccountUsername('a', 'b.c'))).toEqual({ namespace: 'a', name: 'b.c' });
    expect(serviceAccountGroups('a')).toEqual(['system:serviceaccounts', 'system:serviceaccounts:a']);
  });

  it.each([
    'ann',
    'system:serviceaccount:a',
    'system:serviceaccount:a:b:c',
    'system:serviceaccount::x',
    'system:serviceaccount:a:',
    'system:serviceaccount:A:x',
    'system:serviceaccount:a.b:x',
    'system:serviceaccount:a:X_y',
  ])('is not %s', (name) => {
    expect(parseServiceAccountUsername(name)).toBeUndefined();
  });
});
