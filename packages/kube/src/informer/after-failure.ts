import type { KubeErrorCode } from '../errors/codes.ts';
import type { KubeError } from '../errors/kube-error.ts';

/**
 * Pure: how to go on after a list or watch failed. `watch` resumes at the last version; `list` fetches the state anew,
 * because the version is of no use any more or the resource itself may have changed hands. `during` tells whether the
 * request failed, or a watch that the server had accepted.
 */
export function afterFailure(
  error: Pick<KubeError, 'code' | 'status' | 'body'>,
  during: 'request' | 'watch',
): 'watch' | 'list' {
  // What a server cannot tell in a watch, such as an event it cannot decode, it could not tell in the next one either.
  const isSaidInWatch = during === 'watch' && error.status !== undefined && error.code !== 'KUBE_TOO_MANY_REQUESTS';
  if (isSaidInWatch) return 'list';
  const isBeyond = error.body?.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge');
  return !isBeyond && versionOutlives.has(error.code) ? 'watch' : 'list';
}

/** Failures that say nothing about the version: the server is away, busy, or does not know us right now. */
const versionOutlives: ReadonlySet<KubeErrorCode> = new Set([
  'KUBE_UNREACHABLE',
  'KUBE_TIMEOUT',
  'KUBE_TOO_MANY_REQUESTS',
  'KUBE_SERVER_ERROR',
  'KUBE_UNAUTHORIZED',
  'KUBE_CREDENTIALS_FAILED',
  'KUBE_TLS_EXPIRED',
  'KUBE_TLS_UNTRUSTED',
  'KUBE_TLS_CLIENT_REJECTED',
]);
