import type { ApiObject } from '../objects/api-object.ts';
import { StatusError } from '../status/status-error.ts';

const maxBytes = 1.5 * 1024 * 1024;
/** An object can be at most this much larger than what it was made of: defaults, metadata. */
const growth = 256 * 1024;

/**
 * Refuses objects that are larger than etcd would store.
 *
 * @param madeOf size of what the object was made of; small ones need no measuring
 */
export function requireStorable(object: ApiObject, madeOf: number): void {
  if (madeOf + growth < maxBytes) return;
  if (Buffer.byteLength(JSON.stringify(object)) <= maxBytes) return;
  throw new StatusError(500, '', 'etcdserver: request is too large');
}
