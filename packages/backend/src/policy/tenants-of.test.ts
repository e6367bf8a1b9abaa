import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import { tenantsOf } from './tenants-of.ts';

const issuer = 'https://issuer.example';
const machines = {
  scope: 's',
  audiences: [],
  clients: new Map<string, string | undefined>([
    ['pipeline', 'team-a'],
    ['robot', undefined],
  ]),
};
const person = (more: Partial<Caller> = {}): Caller => ({
  kind: 'person',
  issuer,
  subject: 'a1',
  clientId: 'klutch',
  groups: [],
  displayName: 'Alice',
  ...more,
});
const names = (caller: Caller, tenantGroups?: RegExp) =>
  tenantsOf(caller, { tenantGroups, machines }).map(({ name }) => name);

describe('the tenants of a caller', () => {
  it('are themselves where groups are no tenants', () => {
    expect(tenantsOf(person({ groups: ['x'] }), { machines })).toEqual([
      { identity: '["user","https://issuer.example","a1"]', name: 'user:a1' },
    ]);
    expect(names(person({ email: 'a@example.com' }))).toEqual(['user:a@example.com']);
  });

  it('are what the pattern captures of their groups, each once, in order', () => {
    const groups = ['klutch:b', 'other', 'klutch:a', 'klutch:b', 'xklutch:c'];

    expect(names(person({ groups }), /^klutch:(.+)$/)).toEqual(['a', 'b']);
    expect(names(person({ groups }), /^klutch:(.+)$/g)).toEqual(['a', 'b']);
    expect(names(person({ groups: ['team-a'] }), /^team-.*$/)).toEqual(['team-a']);
  });

  it('are none for a person in no such group', () => {
    expect(names(person({ groups: ['other'] }), /^klutch:(.+)$/)).toEqual([]);
    expect(names(person({ groups: ['klutch:'] }), /^klutch:(.*)$/)).toEqual([]);
  });

  it('of a machine are the tenant it is assigned to, which is the same as the one of the group, or itself', () => {
    const machine = (clientId: string) => person({ kind: 'machine', clientId });

    expect(tenantsOf(machine('pipeline'), { machines })).toEqual(
      tenantsOf(person({ groups: ['team-a'] }), { machines, tenantGroups: /^team-.$/ }),
    );
    expect(tenantsOf(machine('robot'), { machines })).toEqual([
      { identity: '["client","https://issuer.example","robot"]', name: 'client:robot' },
    ]);
  });

  it('S-18 are never those of another issuer, kind or name, whatever signs they hold', () => {
    const part = fc.string({ minLength: 1, unit: fc.constantFrom('a', '#', '"', ',', '[', '\\', '/', ':') });
    const caller = fc.record({
      issuer: part,
      subject: part,
      clientId: part,
      kind: fc.constantFrom('person' as const, 'machine' as const),
    });
    fc.assert(
      fc.property(caller, caller, (one, other) => {
        const identity = (who: typeof one) =>
          tenantsOf(person(who), { machines: { ...machines, clients: new Map() } })[0]?.identity;
        const key = (who: typeof one) =>
          JSON.stringify([who.kind, who.issuer, who.kind === 'person' ? who.subject : who.clientId]);
        expect(identity(one) === identity(other)).toBe(key(one) === key(other));
      }),
    );
  });

  it('S-8 cannot be faked by a group that is called like a person or client', () => {
    expect(names(person({ groups: ['user:boss', 'client:robot', 'fine'] }), /^(.+)$/)).toEqual(['fine']);
  });
});
