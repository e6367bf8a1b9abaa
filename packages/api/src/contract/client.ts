import { isKlutchError, KlutchError } from '../errors/klutch-error.ts';
import { jsonOf } from '../payloads/parse-json.ts';
import { isWaiting, problemInAnswer, readAnswer } from './check.ts';
import type { AnswerOf, Endpoint, RequestOf, WaitingOf } from './endpoint.ts';
import { kindOf, refusalIn } from './refusal.ts';
import type { Send, WireAnswer } from './wire.ts';

/** Calls the endpoints of one backend. */
export interface ContractClient {
  /** Address of the provider's description; the other endpoints lie beside it. */
  readonly url: string;
  /**
   * Calls an endpoint and checks its answer. Throws the error that the backend describes, `KLUTCH_BACKEND_TOO_OLD` when it does
   * not have the endpoint, and `KLUTCH_PROVIDER_UNREACHABLE` or `KLUTCH_PROVIDER_INVALID` for answers without a description.
   */
  call<E extends Endpoint>(
    endpoint: E,
    input: RequestOf<E>,
    options?: CallOptions,
  ): Promise<AnswerOf<E> | WaitingOf<E>>;
}

export interface CallOptions {
  /** For endpoints that are not for anyone. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

export interface ContractClientOptions {
  readonly url: string;
  readonly send: Send;
  /** Waits before a request is repeated; resolves at once when the signal aborts. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** A client without any input or output of its own. */
export function createContractClient({ url, send, pause }: ContractClientOptions): ContractClient {
  return {
    url,
    call: async (endpoint, input, { token, signal } = {}) => {
      const body = endpoint.method === 'POST' ? JSON.stringify(input ?? {}) : undefined;
      const request = {
        method: endpoint.method,
        url: endpoint.isEntry ? url : new URL(endpoint.path, url).href,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body }),
        signal,
      };
      return understood(endpoint, await repeated(() => send(request), endpoint.attempts ?? 1, signal));
    },
  };

  /** Repeats a request that may succeed a moment later: after 429, 5xx and broken connections. */
  async function repeated(
    once: () => Promise<WireAnswer>,
    attempts: number,
    signal: AbortSignal | undefined,
  ): Promise<WireAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await once().catch((error: unknown) => {
        if (attempt >= attempts || !isKlutchError(error, 'KLUTCH_PROVIDER_UNREACHABLE')) throw error;
        return undefined;
      });
      const isPassing = answer === undefined || answer.status === 429 || answer.status >= 500;
      if (answer !== undefined && (!isPassing || attempt >= attempts)) return answer;
      const waitMs = Math.min((answer?.retryAfterSeconds ?? 0) * 1_000 || 250 * 2 ** attempt, maxWaitMs);
      await pause(waitMs, signal);
      signal?.throwIfAborted();
    }
  }
}

const maxWaitMs = 30_000;

function understood<E extends Endpoint>(endpoint: E, answer: WireAnswer): AnswerOf<E> | WaitingOf<E> {
  const { status, text, url } = answer;
  if (status === (endpoint.answer === undefined ? 204 : 200)) {
    return endpoint.isEntry ? readEntry(endpoint, answer) : readAnswer(endpoint, text, url);
  }
  if (status === 400 && endpoint.waiting !== undefined) {
    const body = jsonOf(text);
    if (isWaiting(body) && problemInAnswer(endpoint, body) === undefined) return body as WaitingOf<E>;
  }
  throw refusalIn(answer, endpoint.isEntry === true);
}

function readEntry<E extends Endpoint>(endpoint: E, answer: WireAnswer): AnswerOf<E> {
  try {
    return readAnswer(endpoint, answer.text, answer.url);
  } catch (error) {
    if (!isKlutchError(error, 'KLUTCH_PROVIDER_INVALID')) throw error;
    const message = `The address ${answer.url} answered 200${kindOf(answer)}, but not with the description of a provider: ${error.message} Use the address the operator published; it usually ends in /export.`;
    throw new KlutchError('KLUTCH_PROVIDER_INVALID', message, { cause: error });
  }
}
