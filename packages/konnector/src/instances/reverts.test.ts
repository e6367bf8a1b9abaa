import { annotations } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Reverts } from './memory.ts';
import { isRevert, nextRevert } from './reverts.ts';

const marked = (applied: string | undefined, uid = 'u1'): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { annotations: { ...(applied ? { [annotations.applied]: applied } : {}), [annotations.sourceUid]: uid } },
});

describe('taking back what somebody else did', () => {
  it('is applying the same to the same once more', () => {
    expect(isRevert(marked('d1'), marked('d1'))).toBe(true);
    expect(isRevert(marked('d2'), marked('d1'))).toBe(false);
    expect(isRevert(marked('d1'), marked(undefined))).toBe(false);
    expect(isRevert(marked('d1', 'u2'), marked('d1', 'u1'))).toBe(false);
  });

  it('happens at once a few times, then more and more slowly, and at least every minute', () => {
    let reverts: Reverts | undefined;
    let now = 0;
    const pauses = Array.from({ length: 16 }, () => {
      reverts = nextRevert(reverts, now);
      const pause = reverts.until - now;
      now = reverts.until + 10;
      return pause;
    });
    expect(pauses.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 250, 500, 1_000]);
    expect(pauses.at(-1)).toBe(60_000);
  });

  it('starts anew after a time of peace', () => {
    const long = { count: 20, at: 0, until: 60_000 };
    expect(nextRevert(long, 300_000)).toEqual({ count: 1, at: 300_000, until: 300_000 });
  });
});
