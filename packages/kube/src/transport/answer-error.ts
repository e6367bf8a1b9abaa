import type { KubeErrorCode } from '../errors/codes.ts';
import { KubeError, type Status } from '../errors/kube-error.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';
import { readText } from './read-text.ts';
import type { KubeRequest, KubeResponse } from './types.ts';

const maxErrorBytes = 1024 * 1024;

/** Reads an answer that is not 2xx and turns it into a {@link KubeError}. */
export async function answerError(
  response: KubeResponse,
  request: KubeRequest,
  target: Pick<ClusterConfig, 'server'>,
): Promise<KubeError> {
  const text = await readText(response.body, maxErrorBytes);
  const body = parseStatus(text);
  if (!body && !isPlainRefusal(response)) return notKubernetes(response, target, text);
  const retryAfterSeconds = retryAfter(response, body);
  return statusError(response.status, body, request.about, { retryAfterSeconds, text });
}

/** The {@link KubeError} for a `Status`, also one that arrives inside a watch. */
export function statusError(
  status: number,
  body: Status | undefined,
  about: KubeRequest['about'],
  extra: { readonly retryAfterSeconds?: number; readonly text?: string } = {},
): KubeError {
  const code = codeFor(status, body?.reason);
  const said = body?.message ?? extra.text?.trim().slice(0, 200) ?? '';
  const message = `Cannot ${about.verb} ${about.object}: ${said || `status ${status}`}${hintFor(code, said)}`;
  return new KubeError(code, message, {
    status,
    reason: body?.reason,
    verb: about.verb,
    object: about.object,
    body,
    retryAfterSeconds: extra.retryAfterSeconds,
  });
}

/** The answer parsed well but is not what an API server sends. */
export function notKubernetes(
  response: Pick<KubeResponse, 'status' | 'headers'>,
  target: Pick<ClusterConfig, 'server'>,
  text: string,
): KubeError {
  const type = String(response.headers['content-type'] ?? 'no content type').split(';')[0];
  const redirected = response.headers['location'] === undefined ? '' : ' and a redirect, perhaps to a login page';
  const start = text.trim().slice(0, 60).replace(/\s+/g, ' ');
  const message =
    `${target.server} does not answer like a Kubernetes API server: status ${response.status}, ${type}${redirected}` +
    `${start ? `, beginning with «${start}»` : ''}. Check the address, and that no proxy stands in between.`;
  return new KubeError('KUBE_NOT_KUBERNETES', message, { status: response.status });
}

/** An error that is not a Status object but may still come from an API server or from what stands in front of it. */
function isPlainRefusal({ status, headers }: KubeResponse): boolean {
  // API servers say in plain text that they do not know a path; a page comes from something else at this address.
  if (status === 404 && String(headers['content-type']).includes('html')) return false;
  return plainTextStatuses.has(status);
}

/** Statuses for which API servers and their front proxies send plain text instead of a Status object. */
const plainTextStatuses: ReadonlySet<number> = new Set([401, 403, 404, 429, 500, 502, 503, 504]);

const codesByStatus: Readonly<Record<number, KubeErrorCode>> = {
  400: 'KUBE_INVALID',
  401: 'KUBE_UNAUTHORIZED',
  403: 'KUBE_FORBIDDEN',
  404: 'KUBE_NOT_FOUND',
  409: 'KUBE_CONFLICT',
  410: 'KUBE_GONE',
  413: 'KUBE_INVALID',
  415: 'KUBE_INVALID',
  422: 'KUBE_INVALID',
  429: 'KUBE_TOO_MANY_REQUESTS',
};

function codeFor(status: number, reason: string | undefined): KubeErrorCode {
  if (status === 409 && reason === 'AlreadyExists') return 'KUBE_ALREADY_EXISTS';
  return codesByStatus[status] ?? (status >= 500 ? 'KUBE_SERVER_ERROR' : 'KUBE_REQUEST_FAILED');
}

function hintFor(code: KubeErrorCode, said: string): string {
  if (code === 'KUBE_UNAUTHORIZED') return '. The credentials are not accepted: log in again or get a new kubeconfig.';
  if (code === 'KUBE_FORBIDDEN' && said.includes('exceeded quota: ')) {
    return '. Delete objects that are no longer needed, or ask an administrator of the cluster to raise the quota.';
  }
  if (code === 'KUBE_FORBIDDEN') return '. Ask an administrator of the cluster for this permission.';
  return '';
}

function parseStatus(text: string): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isStatus = typeof parsed === 'object' && parsed !== null && (parsed as Status).kind === 'Status';
    return isStatus ? (parsed as Status) : undefined;
  } catch {
    return undefined;
  }
}

function retryAfter(response: KubeResponse, body: Status | undefined): number | undefined {
  const header = String(response.headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  if (!Number.isNaN(date)) return Math.max(0, (date - Date.now()) / 1000);
  return body?.details?.retryAfterSeconds;
}
