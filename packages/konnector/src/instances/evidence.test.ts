import { describe, expect, it } from 'vitest';
import type { OrphanPolicy } from './bound-api.ts';
import { type Evidence, mayDelete } from './evidence.ts';

const booleans = [true, false] as const;
const values = {
  standing: ['ours', 'goMade', 'unbound', 'takeOver', 'otherCluster', 'otherTenant'],
  original: ['alive', 'terminating', 'absent'],
  isSameOriginal: booleans,
  isHandled: booleans,
  sawDeletion: booleans,
  isAbsentLive: [true, false, undefined],
  crd: ['settled', 'newer', 'unavailable', undefined],
  origin: ['here', 'elsewhere', 'unknown'],
  isConfirmed: [true, false, undefined],
  isBraked: booleans,
  isSettling: booleans,
  isStrange: booleans,
  policy: ['Hold', 'Delete', 'Restore'] satisfies OrphanPolicy[],
} as const satisfies { [K in keyof Evidence]: readonly Evidence[K][] };

/** Every combination there is. */
const all = Object.entries(values).reduce<readonly object[]>(
  (rows, [key, options]) => rows.flatMap((row) => options.map((value) => ({ ...row, [key]: value }))),
  [{}],
) as readonly Evidence[];

const deleted = all.filter((evidence) => mayDelete(evidence).answer === 'delete');

/** Fails with the first few that do not satisfy the rule. */
function expectAll(rows: readonly Evidence[], rule: (evidence: Evidence) => boolean): void {
  expect(rows.filter((row) => !rule(row)).slice(0, 3)).toEqual([]);
}

describe(`of all ${all.length} combinations of evidence, those that allow to delete a copy`, () => {
  it('are some', () => {
    expect(deleted.some(({ original }) => original === 'terminating')).toBe(true);
    expect(deleted.some(({ original }) => original === 'absent')).toBe(true);
  });

  it('never have a living original', () => {
    expectAll(deleted, ({ original }) => original !== 'alive');
  });

  it('never concern objects of others, nor such as are not taken over yet', () => {
    expectAll(deleted, ({ standing }) => standing === 'ours' || standing === 'goMade' || standing === 'unbound');
  });

  it('never rest on objects that go with their CRD, or on a CRD that was not asked for', () => {
    expectAll(deleted, ({ crd }) => crd === 'settled' || crd === 'newer');
  });

  it('while the original goes, have exactly that original, or one the konnector handled', () => {
    const ending = deleted.filter(({ original }) => original === 'terminating');
    expectAll(ending, ({ standing, isSameOriginal, isHandled }) => (standing === 'ours' ? isSameOriginal : isHandled));
  });

  it('do not depend on brake, policy or setting back while the original goes', () => {
    const going: Partial<Evidence> = {
      standing: 'ours',
      original: 'terminating',
      isSameOriginal: true,
      crd: 'settled',
    };
    const rows = all.filter((row) =>
      Object.entries(going).every(([key, value]) => row[key as keyof Evidence] === value),
    );
    expectAll(rows, (row) => mayDelete(row).answer === 'delete');
  });

  it('without original, were confirmed by the app cluster itself, and given time', () => {
    const absent = deleted.filter(({ original }) => original === 'absent');
    expectAll(absent, ({ isAbsentLive, isSettling }) => isAbsentLive === true && !isSettling);
  });

  it('without original, are never of unknown origin, strange, braked or younger than the CRD, unless released', () => {
    const held = deleted.filter(({ original, policy }) => original === 'absent' && policy !== 'Delete');
    expectAll(held, ({ standing, isBraked, crd }) => standing === 'ours' && !isBraked && crd === 'settled');
    expectAll(
      deleted.filter(({ original }) => original === 'absent'),
      ({ isStrange, standing }) => !isStrange && standing !== 'unbound',
    );
  });

  it('without original, are of a history that the app cluster has and confirmed, unless the deletion was seen or released', () => {
    const absent = deleted.filter(({ original }) => original === 'absent');
    const unproven = absent.filter(({ sawDeletion, policy }) => !sawDeletion && policy !== 'Delete');
    expectAll(unproven, ({ origin, isConfirmed }) => origin === 'here' && isConfirmed === true);
  });

  it('are none while the operator wants originals restored', () => {
    expectAll(
      deleted.filter(({ original }) => original === 'absent'),
      ({ policy }) => policy !== 'Restore',
    );
  });
});

describe('a verdict that is not final', () => {
  it('asks first for what costs least, and only if it can matter', () => {
    const orphan: Evidence = {
      standing: 'ours',
      original: 'absent',
      isSameOriginal: false,
      isHandled: false,
      sawDeletion: false,
      isAbsentLive: undefined,
      crd: undefined,
      origin: 'here',
      isConfirmed: undefined,
      isBraked: false,
      isSettling: false,
      isStrange: false,
      policy: 'Hold',
    };
    expect(mayDelete(orphan)).toEqual({ answer: 'look', at: 'crd' });
    expect(mayDelete({ ...orphan, crd: 'settled' })).toEqual({ answer: 'look', at: 'original' });
    const absent: Evidence = { ...orphan, crd: 'settled', isAbsentLive: true };
    expect(mayDelete(absent)).toEqual({ answer: 'look', at: 'line' });
    expect(mayDelete({ ...absent, isConfirmed: true })).toEqual({ answer: 'delete' });
    expect(mayDelete({ ...absent, isConfirmed: false })).toEqual({ answer: 'wait' });
    expect(mayDelete({ ...absent, sawDeletion: true })).toEqual({ answer: 'delete' });
    expect(mayDelete({ ...orphan, isBraked: true })).toEqual({ answer: 'hold', reason: 'braked' });
    expect(mayDelete({ ...orphan, isSettling: true })).toEqual({ answer: 'wait' });
  });
});
