import { X509Certificate } from 'node:crypto';
import type { Credentials, CredentialSource } from '../auth/credentials.ts';
import { isKubeError, KubeError } from '../errors/kube-error.ts';
import type { Impersonation } from '../kubeconfig/cluster-config.ts';
import type { Interceptor, KubeRequest } from './types.ts';

/**
 * Adds credentials and impersonation to each request. When the server refuses the credentials, asks their source once
 * more and repeats the request if it has new ones: tokens and certificates rotate while connections live. Of many
 * requests that are refused together, only the first has the source throw its credentials away.
 */
export function authenticate(source: CredentialSource, impersonation: Impersonation | undefined): Interceptor {
  const impersonationHeaders = headersFor(impersonation);
  const signed = (request: KubeRequest, credentials: Credentials): KubeRequest => ({
    ...request,
    headers: {
      ...request.headers,
      ...impersonationHeaders,
      ...(credentials.authorization === undefined ? {} : { authorization: credentials.authorization }),
    },
  });
  let refused: Credentials | undefined;
  return (next) => async (request) => {
    const credentials = await currentOf(source, request);
    try {
      return await next(signed(request, credentials));
    } catch (error) {
      if (!isKubeError(error, 'KUBE_UNAUTHORIZED')) throw error;
      if (!refused || !sameCredentials(refused, credentials)) source.invalidate();
      refused = credentials;
      const renewed = await currentOf(source, request);
      if (!sameCredentials(credentials, renewed)) return await next(signed(request, renewed));
      refused = undefined;
      throw explainRefusal(error, credentials);
    }
  };
}

async function currentOf(source: CredentialSource, { about, signal }: KubeRequest): Promise<Credentials> {
  try {
    return await source.current(signal);
  } catch (cause) {
    if (isKubeError(cause)) throw cause;
    const { object, verb } = about;
    if (signal?.aborted) throw new KubeError('KUBE_ABORTED', `Cancelled: ${verb} ${object}.`, { object, cause });
    const message = `Cannot ${verb} ${object}: the source of credentials failed, see the cause of this error.`;
    throw new KubeError('KUBE_CREDENTIALS_FAILED', message, { object, cause });
  }
}

function headersFor(impersonation: Impersonation | undefined): Record<string, string | string[]> {
  if (!impersonation) return {};
  const headers: Record<string, string | string[]> = { 'impersonate-user': impersonation.user };
  if (impersonation.uid) headers['impersonate-uid'] = impersonation.uid;
  if (impersonation.groups?.length) headers['impersonate-group'] = [...impersonation.groups];
  for (const [key, values] of Object.entries(impersonation.extra ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key)}`] = [...values];
  }
  return headers;
}

function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.authorization === b.authorization && a.certificate === b.certificate && a.key === b.key;
}

/** API servers answer a bare 401 to an expired client certificate; the certificate itself tells more. */
function explainRefusal(error: KubeError, credentials: Credentials): KubeError {
  if (credentials.certificate === undefined) return error;
  const { validFrom, validTo } = new X509Certificate(credentials.certificate);
  const now = Date.now();
  if (Date.parse(validFrom) <= now && now <= Date.parse(validTo)) return error;
  const period = `it is valid from ${validFrom} to ${validTo}`;
  const message = `The client certificate is outside its period of validity: ${period}. Get a new kubeconfig, or check the clock of this machine.`;
  return new KubeError('KUBE_TLS_EXPIRED', message, { status: error.status, object: error.object, cause: error });
}
