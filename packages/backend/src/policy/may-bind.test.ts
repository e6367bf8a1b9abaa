import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import { checkPolicy, mayBind, requireMayBind } from './may-bind.ts';

const nobody = {
  allowAll: false,
  allowedUsers: [] as string[],
  allowedGroups: [] as string[],
  machines: { scope: 's', audiences: [], clients: new Map([['pipeline', undefined]]) },
};
const alice: Caller = {
  kind: 'person',
  issuer: 'https://issuer.example',
  subject: 'a1',
  clientId: 'klutch',
  groups: ['devs', 'ops'],
  displayName: 'admin',
  email: 'alice@example.com',
};
const machine: Caller = { ...alice, kind: 'machine', clientId: 'pipeline', groups: [] };

describe('who may bind', () => {
  it.each<[string, boolean, Partial<typeof nobody>, Caller]>([
    ['nobody by default', false, {}, alice],
    ['everybody, when the operator says so', true, { allowAll: true }, alice],
    ['who is listed by subject', true, { allowedUsers: ['b', 'a1'] }, alice],
    ['who is listed by verified address', true, { allowedUsers: ['alice@example.com'] }, alice],
    ['who is in a listed group', true, { allowedGroups: ['ops'] }, alice],
    [
      'not whose address is not verified',
      false,
      { allowedUsers: ['alice@example.com'] },
      { ...alice, email: undefined },
    ],
    ['not who only calls themselves like somebody listed', false, { allowedUsers: ['admin'] }, alice],
    ['not whose group only looks like a listed one', false, { allowedGroups: ['op', 'opss', 'Ops'] }, alice],
    ['not who is called like a group', false, { allowedGroups: ['a1'] }, alice],
    ['machines that are listed', true, {}, machine],
    ['not other machines, even where all people may', false, { allowAll: true }, { ...machine, clientId: 'other' }],
  ])('S-8 %s', (_, verdict, policy, caller) => {
    expect(mayBind(caller, { ...nobody, ...policy })).toBe(verdict);
  });

  it('BE-26 is said with a code', () => {
    expect(() => requireMayBind(alice, nobody)).toThrow(expect.objectContaining({ code: 'KLUTCH_NOT_ENTITLED' }));
    expect(() => requireMayBind(alice, { ...nobody, allowAll: true })).not.toThrow();
  });

  it('S-8 has to be said before the backend starts', () => {
    expect(() => checkPolicy(nobody)).toThrow(/--allowed-users.*--allowed-groups.*--allow-all-users/);
    for (const said of [{ allowAll: true }, { allowedUsers: ['a'] }, { allowedGroups: ['g'] }]) {
      expect(() => checkPolicy({ ...nobody, ...said })).not.toThrow();
    }
  });
});
