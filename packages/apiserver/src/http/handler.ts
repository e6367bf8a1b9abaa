import type { IncomingMessage, ServerResponse } from 'node:http';
import type { World } from '../operations/call.ts';
import { type Answer, errorAnswer, PageNotFound, sendAnswer } from './answer.ts';
import type { Gate } from './gate.ts';
import { negotiate, type Wanted } from './negotiate.ts';
import { get, list, objectAnswer, removeCollection } from './read-routes.ts';
import { requestInfo } from './request-info.ts';
import { requestUrl } from './request-url.ts';
import { requireResource, requireRoute } from './routes.ts';
import { watch } from './watch-route.ts';
import type { WatchHub } from '../watch/index.ts';
import { type AdmittedRequest, type SpecialCreate, write } from './write-routes.ts';

export interface HandlerOptions {
  readonly world: World;
  readonly gate: Gate;
  readonly watches: WatchHub;
  readonly special: ReadonlyMap<string, SpecialCreate>;
  /** Answers paths that are no resources: discovery, OpenAPI, health. Undefined: there is nothing there. */
  readonly other: (path: string, request: IncomingMessage, query: URLSearchParams) => Answer | undefined;
  /** Told of failures that are bugs of the server. */
  readonly onUnexpected: (error: unknown) => void;
}

/** Answers every request there can be; never throws. */
export function createHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const warnings: string[] = [];
    let wanted: Wanted = { format: 'json', as: 'object' };
    try {
      const url = requestUrl(request);
      const info = requestInfo(request.method ?? 'GET', url.pathname, url.searchParams);
      const user = await options.gate.admit(request, info, url.searchParams, (text) => warnings.push(text));
      if (!info.isResource) {
        const answer = options.other(url.pathname, request, url.searchParams);
        if (!answer) throw new PageNotFound();
        return await sendAnswer(response, answer, wanted.format, warnings);
      }
      const resource = requireResource(options.world.registry, info);
      requireRoute(info, resource, request.method ?? 'GET');
      wanted = negotiate(request.headers.accept, resource.builtIn);
      if (resource.deprecationWarning) warnings.push(resource.deprecationWarning);
      const admitted = {
        request,
        info,
        query: url.searchParams,
        resource,
        user,
        warn: (text: string) => warnings.push(text),
      };
      if (info.verb === 'watch') return watch(options.world, options.watches, admitted, wanted, response, warnings);
      return await sendAnswer(response, await answerFor(options, admitted, wanted), wanted.format, warnings);
    } catch (error) {
      // Whoever went away in the middle of a request needs no answer, and it is nobody's mistake.
      if (request.errored) return;
      await fail(response, errorAnswer(error, options.onUnexpected), wanted.format, warnings);
    } finally {
      // A body that nobody read would block the connection for the next request.
      request.resume();
    }
  };
}

async function answerFor(options: HandlerOptions, admitted: AdmittedRequest, wanted: Wanted): Promise<Answer> {
  const { world, special } = options;
  switch (admitted.info.verb) {
    case 'get':
      return objectAnswer(world, admitted, get(world, admitted), wanted);
    case 'list':
      return list(world, admitted, wanted);
    case 'deletecollection':
      return removeCollection(world, admitted, wanted);
    default:
      return objectAnswer(world, admitted, await write(world, special, admitted), wanted);
  }
}

async function fail(
  response: ServerResponse,
  answer: Answer,
  format: Wanted['format'],
  warnings: readonly string[],
): Promise<void> {
  if (!response.headersSent) await sendAnswer(response, answer, format, warnings);
  else response.destroy();
}
