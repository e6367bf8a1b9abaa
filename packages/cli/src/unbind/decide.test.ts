import { isKlutchError } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { decideUnbind, lossOf } from './decide.ts';

const unused = { api: 'a.example.org', objects: [] };
const used = { api: 'b.example.org', objects: ['x/1', 'x/2', 'x/3', 'x/4', 'x/5', 'y/6', 'y/7'] };

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isKlutchError(error, 'KLUTCH_BINDING_IN_USE')) return error.message;
    throw error;
  }
  return '';
}

describe('unbinding', () => {
  it('removes what nobody uses', () => {
    expect(decideUnbind([unused], false)).toEqual(new Map([['a.example.org', 'Remove']]));
    expect(lossOf([unused])).toBeUndefined();
  });

  it('refuses as a whole what somebody uses, and lists some of it', () => {
    expect(refusal(() => decideUnbind([unused, used], false))).toContain(
      'b.example.org: x/1, x/2, x/3, x/4, x/5 and 2 more. Nothing was changed. Delete them first, or use --force, which deletes them and all their data',
    );
  });

  it('deletes what is used only when forced, and says what is lost', () => {
    expect(decideUnbind([unused, used], true)).toEqual(
      new Map([
        ['a.example.org', 'Remove'],
        ['b.example.org', 'Delete'],
      ]),
    );
    expect(lossOf([unused, used])).toMatch(/^This deletes 7 of b\.example\.org \(x\/1,.* lost for good$/);
  });
});
