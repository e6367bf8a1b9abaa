import { StatusError } from '../status/status-error.ts';

/** What etcd takes in one request. */
const MAX_BYTES = 1.5 * 1024 * 1024;

/** What a client of etcd sends in one request. */
const MAX_SENT_BYTES = 2 * 1024 * 1024;

/** Refuses the JSON of an object that is larger than etcd would store, in the words of Kubernetes. */
export function requireStorableSize(json: string): void {
  // No character takes more than three bytes per unit of its string.
  if (json.length * 3 <= MAX_BYTES) return;
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_BYTES) return;
  throw new StatusError(500, '', bytes > MAX_SENT_BYTES ? notSent(bytes) : 'etcdserver: request is too large');
}

const notSent = (bytes: number) =>
  `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${bytes} vs. ${MAX_SENT_BYTES})`;
