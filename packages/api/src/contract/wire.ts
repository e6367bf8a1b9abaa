/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status. */
export interface WireAnswer {
  /** Where it came from, after redirects and without its query. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case. */
  readonly contentType: string;
  readonly retryAfterSeconds?: number;
  readonly text: string;
}

/** Sends a request. Throws `KLUTCH_PROVIDER_UNREACHABLE` when the connection fails, and other errors that trying again does not help. */
export type Send = (request: WireRequest) => Promise<WireAnswer>;
