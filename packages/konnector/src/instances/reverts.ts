import type { UnknownObject } from '@klutch/kube';
import { marksOf } from '../ownership/marks.ts';
import type { Reverts } from './memory.ts';

/** Whether applying would only take back what somebody else did since we applied the very same. */
export function isRevert(wanted: UnknownObject, copy: UnknownObject): boolean {
  const before = marksOf(copy);
  const now = marksOf(wanted);
  return before.applied !== undefined && before.applied === now.applied && before.sourceUid === now.sourceUid;
}

/** Pure: one more revert. A few are taken back at once; who goes on gets ever longer turns, of at most a minute. */
export function nextRevert(before: Reverts | undefined, now: number): Reverts {
  const count = before !== undefined && now - before.at < calmMs ? before.count + 1 : 1;
  const pauseMs = count <= patience ? 0 : Math.min(longestMs, firstMs * 2 ** (count - patience - 1));
  return { count, at: now, until: now + pauseMs };
}

const patience = 5;
const firstMs = 250;
const longestMs = 60_000;
/** Longer than the longest pause, so that pausing alone does not count as peace. */
const calmMs = 300_000;
