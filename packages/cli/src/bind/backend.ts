import {
  type BindingProvider,
  type BindingResponse,
  errorCatalogue,
  isKlutchError,
  KlutchError,
  type KlutchErrorCode,
  parseBindingProvider,
  parseBindingResponse,
} from '@klutch/api';
import { pause, systemClock } from '@klutch/kube';
import { callHttp, type HttpAnswer, type HttpSettings } from './http-call.ts';

/** An API by its parts. */
export interface WantedApi {
  readonly group: string;
  readonly resource: string;
}

/** What is asked for without a browser. */
export interface BindRequest {
  readonly clusterID: string;
  readonly clusterUID?: string;
  readonly apis: readonly WantedApi[];
  readonly tenant?: string;
}

/** A login that goes on elsewhere, with a code the user types in. */
export interface DeviceLogin {
  /** What the backend knows it by. */
  readonly device: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  readonly intervalSeconds: number;
  readonly expiresInSeconds: number;
}

/** What became of a login with a code: its answer, or how long to wait before asking again. */
export type DeviceAnswer = { readonly response: BindingResponse } | { readonly intervalSeconds?: number };

/** The backend of a provider. Its errors carry the code that the backend gave, else one of the provider. */
export interface Backend {
  /** Address of its description. */
  readonly url: string;
  provider(signal?: AbortSignal): Promise<BindingProvider>;
  /** Exchanges the code of a login for what it yields. */
  redeem(code: string, verifier: string, signal?: AbortSignal): Promise<BindingResponse>;
  bindNonInteractive(request: BindRequest, token: string, signal?: AbortSignal): Promise<BindingResponse>;
  startDeviceLogin(request: BindRequest, signal?: AbortSignal): Promise<DeviceLogin>;
  deviceToken(device: string, signal?: AbortSignal): Promise<DeviceAnswer>;
}

/** The backend whose description is at `url`; its other addresses lie beside it. */
export function openBackend(url: string, settings: HttpSettings): Backend {
  const post = async (path: string, content: unknown, signal?: AbortSignal, headers = {}): Promise<HttpAnswer> =>
    callHttp(
      new URL(path, url).href,
      {
        method: 'POST',
        signal,
        body: JSON.stringify(content),
        headers: { 'content-type': 'application/json', ...headers },
      },
      settings,
    );
  return {
    url,
    provider: async (signal) => parseProvider(await callHttp(url, { signal }, settings)),
    redeem: async (code, verifier, signal) => {
      const answer = await repeated(() => post('redeem', { code, verifier }, signal), 3, signal);
      return parseBindingResponse(successful(answer).text);
    },
    bindNonInteractive: async (request, token, signal) => {
      const send = () => post('bind-noninteractive', request, signal, { authorization: `Bearer ${token}` });
      return parseBindingResponse(successful(await repeated(send, 5, signal)).text);
    },
    startDeviceLogin: async (request, signal) => deviceLogin(successful(await post('device', request, signal))),
    deviceToken: async (device, signal) => {
      const answer = await post('device/token', { device }, signal);
      if (answer.status === 202) return { intervalSeconds: numberIn(asMap(jsonOf(answer.text)), 'interval') };
      return { response: parseBindingResponse(successful(answer).text) };
    },
  };
}

function parseProvider(answer: HttpAnswer): BindingProvider {
  if (answer.status !== 200) {
    const message = `The address ${answer.url} answered ${answer.status}${kindOf(answer)} in place of the description of a provider; check the address, which usually ends in /export.`;
    throw new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', message);
  }
  try {
    return parseBindingProvider(answer.text);
  } catch (error) {
    if (!isKlutchError(error, 'KLUTCH_PROVIDER_INVALID')) throw error;
    const message = `The address ${answer.url} answered 200${kindOf(answer)}, but not with the description of a provider: ${error.message} Use the address the operator published; it usually ends in /export.`;
    throw new KlutchError('KLUTCH_PROVIDER_INVALID', message, { cause: error });
  }
}

function kindOf({ contentType }: HttpAnswer): string {
  if (contentType === 'text/html') return ' with a web page';
  return /^[\w./+-]+$/.test(contentType) ? ` with ${contentType}` : '';
}

/** The answer, if it is a success; else the error that the backend describes, or one that names address and status. */
function successful(answer: HttpAnswer): HttpAnswer {
  if (answer.status === 200) return answer;
  const { code, message } = describedIn(answer.text);
  if (code !== undefined) throw new KlutchError(code, message ?? errorCatalogue[code].meaning);
  throw new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', withoutDescription(answer, message));
}

function withoutDescription({ url, status, ...answer }: HttpAnswer, message = ''): string {
  const reason = message === '' ? kindOf({ url, status, ...answer }) : `: ${message}`;
  if (status === 404)
    return `The address ${url} answered 404${reason}; this backend does not offer that. Compare its version with that of this command.`;
  return `The address ${url} answered ${status}${reason}; try again, and ask the operator if that persists.`;
}

/** What an error body says, in the forms that backends have: `{code, message}`, also below `error`. */
function describedIn(text: string): { readonly code?: KlutchErrorCode; readonly message?: string } {
  const body = jsonOf(text);
  const fields = asMap(asMap(body)?.['error']) ?? asMap(body) ?? {};
  const { code, message, error_description: description } = fields;
  const words = [message, description].find((one) => typeof one === 'string');
  return {
    ...(typeof code === 'string' && Object.hasOwn(errorCatalogue, code) && { code: code as KlutchErrorCode }),
    ...(words !== undefined && { message: oneLine(words) }),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 500);
}

/** Repeats a request that may succeed a moment later: after 429, 5xx and broken connections. */
async function repeated(
  send: () => Promise<HttpAnswer>,
  attempts: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await send().catch((error: unknown) => {
      if (attempt >= attempts || !isKlutchError(error, 'KLUTCH_PROVIDER_UNREACHABLE')) throw error;
      return undefined;
    });
    const isPassing = outcome === undefined || outcome.status === 429 || outcome.status >= 500;
    if (outcome !== undefined && (!isPassing || attempt >= attempts)) return outcome;
    const waitMs = Math.min((outcome?.retryAfterSeconds ?? 0) * 1_000 || 250 * 2 ** attempt, maxWaitMs);
    await pause(systemClock, waitMs, signal);
    signal?.throwIfAborted();
  }
}

const maxWaitMs = 30_000;

function deviceLogin({ text, url }: HttpAnswer): DeviceLogin {
  const fields = asMap(jsonOf(text)) ?? {};
  const word = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const complete = word('verificationUriComplete');
  const login = {
    device: word('device'),
    userCode: word('userCode'),
    verificationUri: word('verificationUri'),
    intervalSeconds: numberIn(fields, 'interval') ?? 5,
    expiresInSeconds: numberIn(fields, 'expiresIn') ?? 600,
  };
  if (login.device && login.userCode && login.verificationUri) {
    return { ...login, ...(complete && { verificationUriComplete: complete }) };
  }
  throw new KlutchError('KLUTCH_PROVIDER_INVALID', `The address ${url} did not answer with a code to log in with.`);
}

function numberIn(fields: Readonly<Record<string, unknown>> | undefined, name: string): number | undefined {
  const value = fields?.[name];
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap ? (value as Readonly<Record<string, unknown>>) : undefined;
}
