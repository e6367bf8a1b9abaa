/**
 * Every code a {@link KubeError} can carry, with the situation it stands for. Codes are stable: callers may match on
 * them, documentation lists them.
 */
export const kubeErrorCodes = {
  KUBE_CONFIG_UNREADABLE: 'A kubeconfig or a file it names is missing, not readable, or not valid YAML.',
  KUBE_CONFIG_INVALID: 'A kubeconfig is readable, but a field is missing, of the wrong type, or contradicts another.',
  KUBE_CONFIG_UNTRUSTED: 'A kubeconfig that came from elsewhere uses exec, auth-provider or a file reference.',
  KUBE_CREDENTIALS_FAILED: 'A token file, certificate file or exec credential plugin did not yield credentials.',
  KUBE_UNREACHABLE: 'No connection to the API server: refused, not resolved, timed out, or cut.',
  KUBE_TLS_UNTRUSTED: "The API server's certificate is not signed by the configured CA or not for this host name.",
  KUBE_TLS_EXPIRED: "The API server's certificate or the client certificate is outside its period of validity.",
  KUBE_TLS_CLIENT_REJECTED: 'The API server refused the TLS handshake because of the client certificate.',
  KUBE_NOT_KUBERNETES: 'The answer is not one of a Kubernetes API server, for example HTML of a proxy or login page.',
  KUBE_UNAUTHORIZED: 'The API server does not accept the credentials (401).',
  KUBE_FORBIDDEN: 'The credentials are valid but do not permit the request (403).',
  KUBE_NOT_FOUND: 'The object, or the resource type, does not exist (404).',
  KUBE_ALREADY_EXISTS: 'An object of that name exists (409, AlreadyExists).',
  KUBE_CONFLICT: 'The object changed since it was read, or another manager owns a field (409, Conflict).',
  KUBE_GONE: 'The resource version or continue token is too old (410).',
  KUBE_INVALID: 'The API server rejected the content of the request (400, 415, 422).',
  KUBE_TOO_MANY_REQUESTS: 'The API server asks to slow down and retries were exhausted (429).',
  KUBE_SERVER_ERROR: 'The API server failed (5xx).',
  KUBE_TIMEOUT: 'The request did not finish within its time limit.',
  KUBE_ABORTED: 'The caller cancelled the request.',
  KUBE_REQUEST_FAILED: 'The API server answered with another error status.',
  KUBE_LEADERSHIP_LOST: 'This process is no longer the leader and must not write.',
} as const;

export type KubeErrorCode = keyof typeof kubeErrorCodes;
