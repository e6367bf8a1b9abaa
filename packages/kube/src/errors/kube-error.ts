import type { KubeErrorCode } from './codes.ts';

/** The Kubernetes `Status` object that API servers send with errors. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

export interface KubeErrorDetails {
  /** HTTP status, when a server answered. */
  readonly status?: number;
  /** Kubernetes reason such as `NotFound`, when the server gave one. */
  readonly reason?: string;
  /** Kubernetes verb of the request, such as `list`, when a server answered. */
  readonly verb?: string;
  /** The object or collection concerned, such as `secrets "db" in namespace "team-a"`. */
  readonly object?: string;
  /** The whole Status object of the server. */
  readonly body?: Status;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

const brand = Symbol.for('klutch.kube.error');

/** The one error this package throws. `message` says what happened, to what, and what to do; it never holds a secret. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly code: KubeErrorCode;
  readonly status?: number;
  readonly reason?: string;
  readonly verb?: string;
  readonly object?: string;
  readonly body?: Status;
  readonly retryAfterSeconds?: number;
  readonly [brand] = true;

  constructor(code: KubeErrorCode, message: string, details: KubeErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.reason = details.reason;
    this.verb = details.verb;
    this.object = details.object;
    this.body = details.body;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** True for a {@link KubeError}, also one created by another copy of this package; narrows to the given codes. */
export function isKubeError(error: unknown, ...codes: KubeErrorCode[]): error is KubeError {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  return codes.length === 0 || codes.includes((error as KubeError).code);
}
