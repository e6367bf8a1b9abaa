import { isKubeError } from '../errors/kube-error.ts';

/** True when writing an Event failed for a reason that may pass. */
export function isPassingFailure(error: unknown): boolean {
  return isKubeError(
    error,
    'KUBE_UNREACHABLE',
    'KUBE_TIMEOUT',
    'KUBE_SERVER_ERROR',
    'KUBE_TOO_MANY_REQUESTS',
    'KUBE_CONFLICT',
    'KUBE_UNAUTHORIZED',
    'KUBE_CREDENTIALS_FAILED',
  );
}

/** True when the namespace is going away: nobody will look for events there. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!isKubeError(error, 'KUBE_FORBIDDEN')) return false;
  return error.body?.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') ?? false;
}
