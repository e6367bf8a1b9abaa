import type { PermissionClaim } from '../kinds/permission-claim.ts';
import { describe, expect, it } from 'vitest';
import { claimName, claimWords } from './claim-words.ts';

const claim = (more: Partial<PermissionClaim> = {}): PermissionClaim => ({
  resource: 'secrets',
  version: 'v1',
  ...more,
});

describe('a permission claim in plain words', () => {
  it.each<[string, Partial<PermissionClaim>, string]>([
    [
      'the provider owns',
      { selector: { owner: 'Provider' } },
      'The provider wants to write secrets of its own into your cluster; yours are neither read nor changed.',
    ],
    [
      'the user owns',
      { selector: { owner: 'Consumer' } },
      'The provider wants to read your secrets: copies of them go to the provider.',
    ],
    [
      'either owns',
      {},
      'The provider wants to read your secrets, copies of which go to the provider, and to write secrets of its own into your cluster.',
    ],
    [
      'are given away',
      { autoDonate: true },
      'The provider wants to create secrets in your cluster that then belong to you.',
    ],
    [
      'are taken over',
      { autoAdopt: true },
      'The provider wants to own your secrets: it reads them and may change and delete them.',
    ],
    [
      'of a group',
      { group: 'example.org', resource: 'widgets', selector: { owner: 'Consumer' } },
      'The provider wants to read your widgets.example.org: copies of them go to the provider.',
    ],
  ])('says what happens to objects that %s', (_, more, what) => {
    expect(claimWords(claim(more)).what).toBe(what);
  });

  it('says which objects are meant, if not all', () => {
    const selector = {
      owner: 'Consumer' as const,
      names: ['a', 'b'],
      namespaces: ['x'],
      labelSelectors: [{ k: 'v', l: 'w' }, { m: 'n' }] as Record<string, string>[],
    };

    expect(claimWords(claim({ selector })).what).toBe(
      'The provider wants to read your secrets: copies of them go to the provider – only those named a or b, in namespace x, labelled k=v and l=w or m=n.',
    );
    expect(claimWords(claim({ selector: { owner: 'Consumer', names: ['*'], namespaces: ['*'] } })).what).not.toContain(
      'only',
    );
  });

  it('says what else is worth knowing, where it can happen', () => {
    const all = {
      create: { replaceExisting: true },
      onConflict: { recreateWhenConsumerSideDeleted: true },
      update: { fields: ['.data'], preserving: ['.type'], alwaysRecreate: true },
    };

    expect(claimWords(claim(all)).notes).toEqual([
      'An object of yours with the same name is replaced.',
      'If you delete one of the provider’s objects, it is created again.',
      'Of existing objects only these fields are updated: .data.',
      'These fields of existing objects stay as they are: .type.',
      'Changed objects are deleted and created again.',
    ]);
    expect(
      claimWords(claim({ selector: { owner: 'Consumer' }, onConflict: all.onConflict, create: all.create })).notes,
    ).toEqual([]);
  });

  it('does not say that objects are created again where they are not', () => {
    expect(claimWords(claim({ onConflict: { recreateWhenConsumerSideDeleted: false } })).notes).toEqual([]);
    expect(claimWords(claim({ selector: { owner: 'Consumer' } })).notes).toEqual([]);
  });

  it.each<[Partial<PermissionClaim>, string]>([
    [{ selector: { owner: 'Provider' } }, 'secrets (write)'],
    [{ selector: { owner: 'Consumer' } }, 'secrets (read)'],
    [{}, 'secrets (read and write)'],
    [{ autoDonate: true }, 'secrets (create)'],
    [{ autoAdopt: true, group: 'example.org' }, 'secrets.example.org (own)'],
  ])('has a short name for %j: %s', (more, name) => {
    expect(claimName(claim(more))).toBe(name);
  });

  it('does not let a provider control a terminal', () => {
    const { what } = claimWords(claim({ selector: { names: ['a\u001b[2J\nDo you accept? Yes'] } }));

    expect(what).toContain('only those named a [2J Do you accept? Yes');
  });

  it('says whether it is required', () => {
    expect(claimWords(claim({ required: true })).isRequired).toBe(true);
    expect(claimWords(claim()).isRequired).toBe(false);
  });
});
