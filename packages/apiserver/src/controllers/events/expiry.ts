import type { ApiObject } from '../../objects/api-object.ts';

/** How long Kubernetes remembers what happened, after it was last written down. */
export const EVENT_LIFE_MS = 60 * 60 * 1000;

/** Pure: when an event is to be forgotten, in milliseconds since 1970. One that does not say when it was written never is. */
export function expiryOf({ metadata }: ApiObject): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  const written = times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time));
  return written.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...written) + EVENT_LIFE_MS;
}
