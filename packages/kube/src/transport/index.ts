export { compose } from './interceptors.ts';
export { type RetryOptions } from './retry.ts';
export { createTransport, type TransportOptions, userAgentOf } from './transport.ts';
export type { Interceptor, KubeRequest, KubeResponse, RequestSubject, Send, Transport } from './types.ts';
