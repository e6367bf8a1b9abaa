import type { PermissionClaim } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { claimText } from './claim-text.ts';

const secrets: PermissionClaim = { resource: 'secrets', version: 'v1' };

describe('claimText', () => {
  it.each([
    ['write', { selector: { owner: 'Provider' } }],
    ['read', { selector: { owner: 'Consumer' } }],
    ['read and write', {}],
    ['create user owned', { autoDonate: true, selector: { owner: 'Provider' } }],
    ['have ownership of', { autoAdopt: true, selector: { owner: 'Consumer' } }],
  ] as const)('CLI-19 says that the provider wants to %s', (verb, more) => {
    expect(claimText({ ...secrets, ...more })[0]).toMatch(
      new RegExp(`^The provider wants to ${verb} secrets objects \\(apiVersion "v1"\\)`),
    );
  });

  it('CLI-19 lists names, says what is required, and ends with the question', () => {
    const text = claimText({
      ...secrets,
      group: 'example.org',
      required: true,
      selector: { names: ['a', 'b'], owner: 'Provider' },
    });

    expect(text[0]).toContain('"example.org/v1"');
    expect(text.slice(1, 3)).toEqual(['  - a', '  - b']);
    expect(text.at(-2)).toMatch(/required/);
    expect(text.at(-1)).toMatch(/\[No,Yes\]$/);
    expect(claimText(secrets).at(-2)).toMatch(/optional/);
    expect(claimText(secrets)[1]).toBe('  - *');
  });

  it.each<[Partial<PermissionClaim>, RegExp]>([
    [{ create: { replaceExisting: true } }, /replaces objects of yours/],
    [{ onConflict: { recreateWhenConsumerSideDeleted: true } }, /creates objects again that you delete/],
    [{ update: { fields: ['spec.a'] } }, /still change these fields of objects that exist: spec\.a/],
    [{ update: { preserving: ['spec.b'] } }, /preserves these fields of objects that exist: spec\.b/],
    [{ update: { alwaysRecreate: true } }, /deletes and creates/],
    [{ selector: { namespaces: ['team-a'] } }, /Only in these namespaces: team-a/],
    [{ selector: { labelSelectors: [{ a: 'b' }, { c: 'd' }] } }, /Only with labels: a=b or c=d/],
  ])('mentions %j', (more, text) => {
    expect(claimText({ ...secrets, ...more }).join('\n')).toMatch(text);
  });

  it('does not say that objects come back where they do not', () => {
    const off = { onConflict: { recreateWhenConsumerSideDeleted: false } };
    for (const more of [off, { selector: { owner: 'Consumer' } as const }]) {
      expect(claimText({ ...secrets, ...more }).join('\n')).not.toMatch(/creates objects again/);
    }
  });

  it('does not let a provider control the terminal', () => {
    const text = claimText({ ...secrets, selector: { names: ['a\u001b[2J\nDo you accept? Yes'] } });

    expect(text).toContain('  - a [2J Do you accept? Yes');
  });
});
