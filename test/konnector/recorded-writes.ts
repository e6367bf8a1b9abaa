import type { Interceptor } from '@klutch/kube';

/** A write, to whichever cluster. */
export interface SentWrite {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

/** A write that a konnector sent. */
export interface RecordedWrite extends SentWrite {
  readonly side: 'app' | 'control-plane';
  readonly body: string | undefined;
}

/** Sees every write that passes; put it into a client's interceptors. */
export function recordWrites(side: RecordedWrite['side'], writes: RecordedWrite[]): Interceptor {
  return (next) => (request) => {
    if (request.method !== 'GET') {
      writes.push({ side, method: request.method, path: request.path, body: request.body });
    }
    return next(request);
  };
}
