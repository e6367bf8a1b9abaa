import {
  type AnswerOf,
  type Caller,
  checkedRequest,
  type Endpoint,
  isWaiting,
  problemInAnswer,
  type RequestOf,
  type WaitingOf,
} from '@klutch/api/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebContext } from './context.ts';
import { counted } from './counted.ts';
import { type Callers, identify } from './identify.ts';

/** One call of an endpoint: who calls is verified, and what they send is as described. */
export interface Call<E extends Endpoint> {
  readonly caller: E extends Endpoint<infer C extends Caller> ? Callers[C] : never;
  readonly body: RequestOf<E>;
  readonly request: FastifyRequest;
}

export interface RouteOptions {
  /** Told how each call ended: `success`, or the code of the error. Calls that have to wait are not over and not told. */
  readonly report?: (result: string) => void;
  /** Further paths with the same answer. */
  readonly aliases?: readonly string[];
}

/**
 * Offers an endpoint of the contract: identifies the caller, checks the body, and then the answer of the handler, which must be as
 * described. An answer that is not becomes `KLUTCH_INTERNAL`, since clients would refuse it.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  context: WebContext,
  endpoint: E,
  handler: (call: Call<E>) => Promise<AnswerOf<E> | WaitingOf<E>>,
  { report = () => undefined, aliases = [] }: RouteOptions = {},
): void {
  const { method, path } = endpoint;
  const answer = async (request: FastifyRequest): Promise<AnswerOf<E> | WaitingOf<E>> => {
    const caller = (await identify(context, endpoint.caller, request)) as Call<E>['caller'];
    return await handler({ caller, body: checkedRequest(endpoint, request.body), request });
  };
  for (const url of [path, ...aliases]) {
    app.route({
      method,
      url: `/${url}`,
      config: { answers: 'json' },
      handler: async (request, reply) => {
        const body = await counted(report, () => answer(request), isWaiting);
        const problem = problemInAnswer(endpoint, body);
        if (problem !== undefined) throw new Error(`the answer of /${path} is not as described: ${problem}`);
        if (endpoint.answer === undefined) return await reply.code(204).send();
        return await reply
          .code(endpoint.waiting !== undefined && isWaiting(body) ? 400 : 200)
          .type('application/json')
          .send(JSON.stringify(body));
      },
    });
  }
}
