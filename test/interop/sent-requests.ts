import type { Interceptor, KubeRequest } from '@klutch/kube';

/** A request of our konnector, and how it was answered. */
export interface SentRequest {
  readonly side: 'app' | 'control-plane';
  readonly method: KubeRequest['method'];
  readonly path: string;
  readonly body: string | undefined;
  readonly userAgent: string;
  readonly status: number;
}

/** Sees everything a konnector sends, and on which side. */
export function recordRequests(sent: SentRequest[]): Interceptor {
  return (next) => async (request) => {
    const response = await next(request);
    sent.push({
      // Tenants have tokens, konnectors in the app cluster of these tests have certificates.
      side: request.headers?.['authorization'] === undefined ? 'app' : 'control-plane',
      method: request.method,
      path: request.path,
      body: request.body,
      userAgent: String(request.headers?.['user-agent']),
      status: response.status,
    });
    return response;
  };
}

/** Writes, without those for the lease. */
export function writesIn(sent: readonly SentRequest[]): readonly SentRequest[] {
  return sent.filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));
}
