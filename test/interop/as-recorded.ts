import { expect } from 'vitest';
import type { Cast } from './cast.ts';
import type { Played } from './replay.ts';
import { isWrite } from './recording.ts';

/**
 * Expects that a request was answered as it was recorded: the same status, and for writes the same object but for what
 * no two runs have in common.
 */
export function expectAsRecorded({ recorded, status, answer }: Played, cast: Cast): void {
  const what = `${recorded.verb} ${recorded.uri} in "${recorded.step}"`;
  expect(status, `${what}: ${JSON.stringify(answer)}`).toBe(recorded.status);
  if (!isWrite(recorded) || recorded.answer === undefined || 'code' in recorded.answer) return;
  expect(masked(answer), what).toEqual(masked(cast.valueOf(recorded.answer)));
}

/** Fields that differ from run to run, or that a provider is free to choose. */
const volatile = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'lastHeartbeatTime',
  'providerPrettyName',
  'klutch.anynines.com/source-spec-hash',
]);

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'managedFields');
  return Object.fromEntries(entries.map(([key, inner]) => [key, volatile.has(key) ? '<masked>' : masked(inner)]));
}
