import type { Static, TSchema } from 'typebox';

/**
 * Who may call an endpoint, and what they show in the header `Authorization`: nobody has to show anything, an access token of
 * the identity provider, or the token of the kubeconfig that an app cluster was given.
 */
export type Caller = 'anyone' | 'accessToken' | 'tenantCredential';

/** One HTTP endpoint of the backend, described once for the server that offers it and the clients that call it. */
export interface Endpoint<
  C extends Caller = Caller,
  Request extends TSchema | undefined = TSchema | undefined,
  Answer extends TSchema | undefined = TSchema | undefined,
  Waiting extends TSchema | undefined = TSchema | undefined,
> {
  readonly method: 'GET' | 'POST';
  /** Beside the address of the provider's description, without a slash at the start. */
  readonly path: string;
  readonly caller: C;
  /** The JSON body of a request; absent when it has none. */
  readonly request?: Request;
  /** The JSON body of status 200; absent when success is 204 without a body. */
  readonly answer?: Answer;
  /** The JSON body of status 400 by which the server asks to be called again later, as RFC 8628 has it. */
  readonly waiting?: Waiting;
  /** How often a client sends a request altogether while the answer is 429 or 5xx, or the connection breaks. Default 1. */
  readonly attempts?: number;
  /** Reads an answer more strictly than its schema can say. Throws a `KlutchError` without any part of the text in it. */
  readonly read?: (text: string) => ValueOf<Answer>;
  /** Set for the one address that operators publish and users type in: clients call it as it was given to them. */
  readonly isEntry?: true;
}

/** The value that a schema describes; nothing without a schema. */
export type ValueOf<S> = S extends TSchema ? Static<S> : undefined;

/** What a request of an endpoint carries. */
export type RequestOf<E> = E extends Endpoint<Caller, infer R, infer _A, infer _W> ? ValueOf<R> : never;

/** What an endpoint answers with success. */
export type AnswerOf<E> = E extends Endpoint<Caller, infer _R, infer A, infer _W> ? ValueOf<A> : never;

/** What an endpoint answers while the client has to wait; `never` for endpoints that do not know this. */
export type WaitingOf<E> =
  E extends Endpoint<Caller, infer _R, infer _A, infer W> ? (W extends TSchema ? Static<W> : never) : never;

/** Describes an endpoint, with its types. */
export function endpoint<
  C extends Caller,
  Request extends TSchema | undefined = undefined,
  Answer extends TSchema | undefined = undefined,
  Waiting extends TSchema | undefined = undefined,
>(description: Endpoint<C, Request, Answer, Waiting>): Endpoint<C, Request, Answer, Waiting> {
  return description;
}
