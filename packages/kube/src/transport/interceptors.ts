import type { Interceptor, Send } from './types.ts';

/** Wraps `send` so that the first interceptor of the list sees a request first and its answer last. */
export function compose(interceptors: readonly Interceptor[], send: Send): Send {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), send);
}
