import { errorCatalogue, KlutchError, type KlutchErrorCode } from '@klutch/api';
import { callHttp, type HttpAnswer, type HttpSettings } from '../bind/http-call.ts';
import type { Connection } from './find-connections.ts';

/** What a backend does for an app cluster that shows the credential it was given. */
export interface TenantBackend {
  /** A new kubeconfig, as text; the one that was shown goes on working for a while. */
  rotate(): Promise<string>;
  /** Ends all credentials but the given one. */
  finishRotation(token: string): Promise<void>;
  /** Takes exports back, and the rights that came with them. */
  unbind(apis: readonly string[]): Promise<void>;
}

/**
 * The backend behind a connection. Undefined when nobody knows its address, or there is no token to show: connections that
 * the Go CLI made. Its methods throw `KLUTCH_BACKEND_TOO_OLD` when the backend knows nothing of what is asked.
 */
export function tenantBackendOf(connection: Connection, settings: HttpSettings): TenantBackend | undefined {
  const { backendUrl, config } = connection;
  if (backendUrl === undefined || config?.auth.kind !== 'token') return undefined;
  const { token } = config.auth;
  const post = async (path: string, content: object, shown = token): Promise<HttpAnswer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${shown}` };
    const call = { method: 'POST', body: JSON.stringify(content), headers } as const;
    return successful(await callHttp(new URL(path, backendUrl).href, call, settings));
  };
  return {
    rotate: async () => kubeconfigIn(await post('rotate', {})),
    finishRotation: async (kept) => void (await post('rotate/finish', {}, kept)),
    unbind: async (apis) => void (await post('unbind', { apis: apis.map(apiOf) })),
  };
}

function apiOf(name: string): { readonly group: string; readonly resource: string } {
  const dot = name.indexOf('.');
  return dot < 0 ? { group: '', resource: name } : { resource: name.slice(0, dot), group: name.slice(dot + 1) };
}

function successful(answer: HttpAnswer): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const { code, message } = asMap(answer.text);
  if (typeof code === 'string' && Object.hasOwn(errorCatalogue, code)) {
    throw new KlutchError(code as KlutchErrorCode, String(message ?? errorCatalogue[code as KlutchErrorCode].meaning));
  }
  if (answer.status === 404 || answer.status === 405) {
    throw new KlutchError(
      'KLUTCH_BACKEND_TOO_OLD',
      `${answer.url} answered ${answer.status}: this backend does not offer that.`,
    );
  }
  const problem = `${answer.url} answered ${answer.status}; try again, and ask the operator if that persists.`;
  throw new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', problem);
}

function kubeconfigIn({ text, url }: HttpAnswer): string {
  const { kubeconfig } = asMap(text);
  if (typeof kubeconfig === 'string') return Buffer.from(kubeconfig, 'base64').toString('utf8');
  throw new KlutchError('KLUTCH_PROVIDER_INVALID', `${url} did not answer with a kubeconfig.`);
}

function asMap(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    const inner = typeof value === 'object' && value !== null && 'error' in value ? value.error : value;
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
