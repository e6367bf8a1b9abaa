import { describe, expect, it } from 'vitest';
import { chooseTenant, requireTenant } from './choose-tenant.ts';
import type { Tenant } from './tenant.ts';

const tenant = (name: string): Tenant => ({ identity: `["group","i","${name}"]`, name });
const [a, b] = [tenant('a'), tenant('b')];

describe('the tenant a bind is for', () => {
  it.each<[string, Parameters<typeof chooseTenant>[0], Tenant]>([
    ['the only one', { tenants: [a] }, a],
    ['the one asked for', { tenants: [a, b], asked: 'b' }, b],
    ['the one that has the cluster', { tenants: [a, b], owner: b }, b],
    ['the one that has the cluster and is asked for', { tenants: [a, b], owner: b, asked: 'b' }, b],
  ])('is %s', (_, choice, chosen) => {
    expect(chooseTenant(choice)).toBe(chosen);
  });

  it.each<[string, Parameters<typeof chooseTenant>[0], string, RegExp]>([
    ['there are several', { tenants: [a, b] }, 'KLUTCH_TENANT_UNDECIDED', /several tenants.*a, b/],
    ['there is none', { tenants: [] }, 'KLUTCH_TENANT_UNDECIDED', /no tenant.*operator/],
    ['another is asked for', { tenants: [a, b], asked: 'c' }, 'KLUTCH_TENANT_UNDECIDED', /c.*a, b/],
    [
      'another of theirs has the cluster',
      { tenants: [a, b], asked: 'a', owner: b },
      'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      /tenant b/,
    ],
  ])('cannot be told when %s', (_, choice, code, message) => {
    expect(() => chooseTenant(choice)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('has to exist', () => {
    expect(() => requireTenant([])).toThrow(expect.objectContaining({ code: 'KLUTCH_TENANT_UNDECIDED' }));
    expect(() => requireTenant([a])).not.toThrow();
  });
});
