import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

import type { PlaneAddress, PlaneCredentials } from './address.ts';

/** An answer of the plane: a body of type JSON is parsed, any other is text. */
export interface PlaneResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Options of one request. */
export interface PlaneRequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default `application/json`; patches need their own. */
  readonly contentType?: string;
  /** Gives up after this many milliseconds. Default 30 000. */
  readonly timeoutMs?: number;
}

/**
 * Sends one request, for example `request('GET', '/api/v1/namespaces')`. Every HTTP status is an answer, not an error.
 * The type of the body is the caller's expectation; nothing checks it.
 */
export type PlaneRequest = <Body = unknown>(
  method: string,
  path: string,
  options?: PlaneRequestOptions,
) => Promise<PlaneResponse<Body>>;

/**
 * A minimal client for the kit's own needs and for tests that must not depend on the client under test. Every request has
 * a connection of its own, so that none outlives its server.
 */
export function planeRequest(
  plane: Pick<PlaneAddress, 'url' | 'certificateAuthority'>,
  credentials: PlaneCredentials,
): PlaneRequest {
  const isToken = 'token' in credentials;
  const identity = isToken ? {} : { cert: credentials.certificate, key: credentials.key };
  const authorization = isToken ? { authorization: `Bearer ${credentials.token}` } : {};

  const send = async (
    method: string,
    path: string,
    { body, contentType = 'application/json', timeoutMs = 30_000 }: PlaneRequestOptions = {},
  ): Promise<PlaneResponse<unknown>> => {
    const request = httpsRequest(new URL(path, plane.url), {
      method,
      agent: false,
      ca: plane.certificateAuthority,
      ...identity,
      headers: {
        accept: 'application/json',
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    const isJson = response.headers['content-type']?.startsWith('application/json');
    return { status: Number(response.statusCode), body: isJson ? JSON.parse(text) : text };
  };
  return send as PlaneRequest;
}
