import { goQuote } from '@klutch/cel';
import { badRequest, StatusError } from '../status/status-error.ts';
import type { Store } from '../storage/types.ts';

/** What is wrong with a resource version that is not a number. */
interface InvalidVersion {
  readonly problem: string;
}

const MAX_UINT64 = 2n ** 64n - 1n;

/** A resource version as clients send it: 0 when absent or `0`. Numbers too large for us are larger than any revision. */
function parseVersion(text: string): number | InvalidVersion {
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) return { problem: problemText(text, 'invalid syntax') };
  const value = BigInt(text);
  if (value > MAX_UINT64) return { problem: problemText(text, 'value out of range') };
  return Number(value);
}

/** {@link parseVersion} for lists. */
export function listVersion(text: string): number {
  const version = parseVersion(text);
  if (typeof version === 'number') return version;
  throw badRequest(`invalid resource version: ${version.problem}`);
}

/** {@link parseVersion} for reading one object and for watches, where Kubernetes takes it for an error of its own. */
export function versionOrInternal(text: string): number {
  const version = parseVersion(text);
  if (typeof version === 'number') return version;
  throw new StatusError(500, '', version.problem);
}

/** Refuses what asks for a state that is still to come. */
export function requireReached(store: Store, version: number, text: string): void {
  if (version <= store.durableRevision) return;
  const asked = BigInt(text).toString();
  const message = `Timeout: Too large resource version: ${asked}, current: ${store.durableRevision}`;
  throw new StatusError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** Checks the `resourceVersion` of a request for one object, which must be answered with nothing older. */
export function requireVersionOfGet(store: Store, text: string): void {
  requireReached(store, versionOrInternal(text), text === '' ? '0' : text);
}

function problemText(text: string, problem: string): string {
  return `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`;
}
