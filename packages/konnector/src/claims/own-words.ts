import { isKubeError, KubeError } from '@klutch/kube';

/**
 * The error in words of our own. Servers and webhooks quote values they refuse, whole or cut, escaped or encoded, so that
 * nothing of what they say about claimed objects is shown or logged. What tells errors apart stays.
 */
export function inOwnWords(error: unknown): unknown {
  if (!isKubeError(error)) return error;
  const { code, status, verb = 'read or write', object, retryAfterSeconds } = error;
  // No server has answered: the words are ours.
  if (status === undefined) return new KubeError(code, error.message, { object, retryAfterSeconds });
  const reason = reasonOf(error);
  const why = `status ${status}${reason === undefined ? '' : ` ${reason}`}`;
  const hint = error.code === 'KUBE_FORBIDDEN' ? ' Ask an administrator of the cluster for this permission.' : '';
  const message = `Cannot ${verb} ${object ?? 'a claimed object'}: the server refuses with ${why}. Its answer may quote the content and is not shown.${hint}`;
  return new KubeError(code, message, { status, reason, verb: error.verb, object, retryAfterSeconds });
}

/** Reason of an error that says: nothing can be created there any more. */
export const namespaceTerminating = 'NamespaceTerminating';

/** The reason, if it is one of Kubernetes; the one cause that changes what has to be done comes first. */
function reasonOf({ body, reason }: KubeError): string | undefined {
  const causes = body?.details?.causes ?? [];
  if (causes.some((cause) => cause.reason === namespaceTerminating)) return namespaceTerminating;
  return reason !== undefined && reasons.has(reason) ? reason : undefined;
}

/** Reasons that API servers give; a webhook may write anything there. */
const reasons: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Expired',
  'Invalid',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'UnsupportedMediaType',
  'RequestEntityTooLarge',
  'TooManyRequests',
  'Timeout',
  'ServerTimeout',
  'InternalError',
  'ServiceUnavailable',
  'StoreReadError',
]);
