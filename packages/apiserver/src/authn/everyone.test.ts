import { describe, expect, it } from 'vitest';

import { ANONYMOUS, asAuthenticated } from './everyone.ts';

describe('a user who proved who they are', () => {
  it('becomes a member of the group of all such users, after their own groups', () => {
    expect(asAuthenticated({ name: 'ann', uid: 'u', groups: ['a'], extra: { k: ['v'] } })).toEqual({
      name: 'ann',
      uid: 'u',
      groups: ['a', 'system:authenticated'],
      extra: { k: ['v'] },
    });
  });

  it.each(['system:authenticated', 'system:unauthenticated'])('stays as they are with the group %s', (group) => {
    const user = { name: 'ann', groups: [group, 'a'] };
    expect(asAuthenticated(user)).toBe(user);
  });

  it('is never the anonymous one', () => {
    expect(asAuthenticated(ANONYMOUS)).toBe(ANONYMOUS);
    expect(asAuthenticated({ name: 'system:anonymous', groups: [] }).groups).toEqual([]);
  });
});
