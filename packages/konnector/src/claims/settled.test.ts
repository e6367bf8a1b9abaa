import { describe, expect, it } from 'vitest';
import { secretOf } from './claim.fixture.ts';
import { createSettled } from './settled.ts';

const wanted = secretOf({ name: 'db' }, { a: '1' });
const answer = secretOf({ name: 'db', uid: 'copy-1' }, { a: '1', byDefault: 'x' });

describe('what came of a write', () => {
  it('is recognised while neither the wish nor the copy changes', () => {
    const settled = createSettled();
    settled.put('Consumer', 'team-a/db', wanted, answer);
    expect(settled.cameOf(answer, wanted)).toBe(true);
    expect(settled.cameOf({ ...answer, data: { byDefault: 'x', a: '1' } }, wanted)).toBe(true);
    expect(settled.cameOf({ ...answer, data: { a: '2', byDefault: 'x' } }, wanted)).toBe(false);
    expect(settled.cameOf(answer, { ...wanted, data: { a: '2' } })).toBe(false);
    expect(settled.copyUid('Consumer', 'team-a/db')).toBe('copy-1');
    expect(settled.copyUid('Provider', 'team-a/db')).toBeUndefined();
  });

  it('is forgotten with the copy, and when another takes its place', () => {
    const settled = createSettled();
    settled.put('Consumer', 'team-a/db', wanted, answer);
    settled.put('Consumer', 'team-a/db', wanted, secretOf({ name: 'db', uid: 'copy-2' }, { a: '1' }));
    expect(settled.cameOf(answer, wanted)).toBe(false);
    settled.forget('Consumer', 'team-a/db');
    expect(settled.copyUid('Consumer', 'team-a/db')).toBeUndefined();
    expect(settled.size).toBe(0);
  });
});
