import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callerId } from './caller.ts';
import { personOf } from './person.ts';

const client = { id: 'klutch', groupsClaim: 'groups' };
const iss = 'https://issuer.example';

describe('the person an ID token speaks of', () => {
  it('has subject, issuer, client, groups and a name', () => {
    const claims = {
      iss,
      sub: 'a1',
      name: 'Alice',
      email: 'a@example.com',
      email_verified: true,
      groups: ['x', 'y', 'x'],
    };

    const person = personOf(claims, client);

    expect(person).toEqual({
      kind: 'person',
      issuer: iss,
      subject: 'a1',
      clientId: 'klutch',
      groups: ['x', 'y'],
      displayName: 'Alice',
      email: 'a@example.com',
    });
    expect(callerId(person)).toBe('https://issuer.example/a1');
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['full name', { name: 'Alice', preferred_username: 'alice', email: 'a@b' }, 'Alice'],
    ['user name', { name: ' ', preferred_username: 'alice', email: 'a@b' }, 'alice'],
    ['e-mail address', { email: 'a@b' }, 'a@b'],
    ['subject', { name: 7 }, 'a1'],
    ['beginning of an endless name', { name: 'x'.repeat(5_000) }, 'x'.repeat(100)],
  ])('is called by the %s', (_, claims, name) => {
    expect(personOf({ iss, sub: 'a1', ...claims }, client).displayName).toBe(name);
  });

  it('S-8 has an e-mail address only when the issuer has verified it', () => {
    for (const verified of [undefined, false, 'true', 1]) {
      expect(
        personOf({ iss, sub: 'a1', email: 'boss@example.com', email_verified: verified }, client).email,
      ).toBeUndefined();
    }
  });

  it.each<[string, string, Readonly<Record<string, unknown>>, string[]]>([
    ['a list', 'groups', { groups: ['a', '', 3, 'b'] }, ['a', 'b']],
    ['a single name', 'groups', { groups: 'a' }, ['a']],
    ['an object', 'groups', { groups: { a: 1 } }, []],
    ['nothing', 'groups', {}, []],
    ['a claim inside of another', 'realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['a claim with dots in its name', 'https://x.example/groups', { 'https://x.example/groups': ['a'] }, ['a']],
    ['what every object has', 'constructor.name', {}, []],
  ])('has the groups of %s', (_, groupsClaim, claims, groups) => {
    expect(personOf({ iss, sub: 'a1', ...claims }, { id: 'klutch', groupsClaim }).groups).toEqual(groups);
  });

  it('S-18 is nobody without a subject', () => {
    for (const sub of [undefined, null, '', '  ', 5, {}]) {
      expect(() => personOf({ iss, sub }, client)).toThrow(expect.objectContaining({ code: 'KLUTCH_TOKEN_INVALID' }));
    }
  });

  it('never throws anything else, and never has an empty name', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('name', 'email', 'groups', 'preferred_username'), fc.jsonValue()),
        (claims) => {
          const person = personOf({ ...claims, iss, sub: 's' }, client);
          expect(person.displayName).not.toBe('');
          expect(person.groups.every((group) => typeof group === 'string')).toBe(true);
        },
      ),
    );
  });
});
