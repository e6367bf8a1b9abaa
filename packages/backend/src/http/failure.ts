import { errorEntry, isKlutchError, type KlutchErrorCode } from '@klutch/api';
import { isKubeError } from '@klutch/kube';
import { TooManyRequests } from './rate-limits.ts';

/** An error as it is told to the client: nothing about how the backend works inside. */
export interface Failure {
  readonly code: KlutchErrorCode;
  readonly message: string;
  readonly status: number;
  readonly retryAfterSeconds?: number;
  /** Whether the operator has to look at it. */
  readonly isOurs: boolean;
}

/** What an error of a route means to the client. */
export function failureOf(error: unknown): Failure {
  if (isKlutchError(error)) {
    const { httpStatus: status = 500 } = errorEntry(error.code);
    const wait = error instanceof TooManyRequests ? error.retryAfterSeconds : status === 503 ? 5 : undefined;
    return {
      code: error.code,
      message: error.message,
      status,
      isOurs: status >= 500,
      ...(wait !== undefined && { retryAfterSeconds: wait }),
    };
  }
  if (isKubeError(error)) {
    const message = 'The control plane did not do what the backend asked for. Try again in a moment.';
    return { ...failure('KLUTCH_BACKEND_UNAVAILABLE', message, 503), retryAfterSeconds: 5 };
  }
  const status = clientStatus(error);
  if (status !== undefined)
    return {
      ...failure('KLUTCH_REQUEST_INVALID', requestProblems[status] ?? 'The request is malformed.', status),
      isOurs: false,
    };
  return failure(
    'KLUTCH_INTERNAL',
    'The backend failed because of an internal error. Try again; if it persists, ask the operator to read its log.',
    500,
  );
}

const requestProblems: Readonly<Record<number, string>> = {
  404: 'There is nothing at this address.',
  405: 'This address does not take requests of this method.',
  413: 'The request is too large.',
  415: 'The body is of a type that this address does not take.',
};

/** The status of an error that the HTTP server itself found in a request; its text may quote the request, so it is dropped. */
function clientStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}

function failure(code: KlutchErrorCode, message: string, status: number): Failure {
  return { code, message, status, isOurs: status >= 500 };
}
