import type { Readable } from 'node:stream';
import { isKubeError, KubeError, type Status } from '../errors/kube-error.ts';
import type { KubeObject } from '../objects/meta.ts';
import { apiVersionOf, type ResourceType } from '../objects/resource-type.ts';
import { watchRequest } from '../resources/requests.ts';
import type { WatchEvent, WatchOptions } from '../resources/types.ts';
import { notKubernetes, statusError } from '../transport/answer-error.ts';
import { connectionError } from '../transport/connection-error.ts';
import type { KubeRequest, Transport } from '../transport/types.ts';
import { lines } from './lines.ts';

const defaultInactivityMs = 120_000;

/** One watch request as a sequence of events; see {@link ResourceClient.watch} for how it ends. */
export async function* watchEvents<T extends KubeObject>(
  transport: Transport,
  type: ResourceType<T>,
  options: WatchOptions,
): AsyncIterable<WatchEvent<T>> {
  const request = watchRequest(type, options);
  const response = await transport.send(request);
  const silence = destroyWhenSilent(response.body, options.inactivityMs ?? defaultInactivityMs, transport, request);
  try {
    if (!String(response.headers['content-type']).includes('json')) throw notKubernetes(response, transport, '');
    options.onOpen?.();
    for await (const line of lines(response.body, () => silence.refresh())) {
      yield parseEvent(line, type, request, options.metadataOnly);
    }
  } catch (error) {
    throw isKubeError(error) ? error : connectionError(error, request, target(transport));
  } finally {
    clearTimeout(silence);
    // Destroyed before its end, a body reports an error, to whoever is left.
    response.body.on('error', () => {}).destroy();
  }
}

interface WireEvent<T extends KubeObject> {
  readonly type: string;
  readonly object: T;
}

function parseEvent<T extends KubeObject>(
  line: string,
  type: ResourceType<T>,
  request: KubeRequest,
  metadataOnly: boolean | undefined,
): WatchEvent<T> {
  const event = parseLine<T>(line, request);
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event.type, object: metadataOnly ? named(event.object, type) : event.object };
    case 'BOOKMARK':
      return {
        type: 'BOOKMARK',
        resourceVersion: event.object.metadata.resourceVersion ?? '',
        initialEventsEnd: event.object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true',
      };
    case 'ERROR': {
      const status = event.object as unknown as Status;
      throw statusError(status.code ?? 500, status, request.about);
    }
    default:
      throw new KubeError('KUBE_NOT_KUBERNETES', `A watch sent an event of unknown type «${event.type}».`);
  }
}

function parseLine<T extends KubeObject>(line: string, request: KubeRequest): WireEvent<T> {
  try {
    return JSON.parse(line) as WireEvent<T>;
  } catch {
    // What the parser says is left out: it quotes the line, which may be a Secret.
    const { object } = request.about;
    throw new KubeError('KUBE_UNREACHABLE', `A watch of ${object} sent a line that is not JSON.`, { object });
  }
}

/** Metadata-only answers are of kind PartialObjectMetadata; the cache keeps the kind that was asked for. */
function named<T extends KubeObject>(object: T, type: ResourceType<T>): T {
  return { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
}

/** A peer that vanished sends nothing, not even an end: after a while without a byte the stream is given up. */
function destroyWhenSilent(body: Readable, ms: number, transport: Transport, request: KubeRequest): NodeJS.Timeout {
  return setTimeout(() => {
    const message = `${transport.server} sent nothing for ${ms} ms on a watch of ${request.about.object}; the connection counts as dead.`;
    body.destroy(new KubeError('KUBE_UNREACHABLE', message, { object: request.about.object, reason: 'Silent' }));
  }, ms);
}

function target(transport: Transport): { readonly server: string; readonly source: string } {
  return { server: transport.server, source: 'watch' };
}
