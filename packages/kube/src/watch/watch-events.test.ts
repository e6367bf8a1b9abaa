import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secrets } from '../objects/core.ts';
import type { WatchEvent, WatchOptions } from '../resources/types.ts';
import type { Secret } from '../objects/core.ts';
import { type Handler, loopback } from '../transport/loopback.fixture.ts';
import { watchEvents } from './watch-events.ts';

const { serve, open } = loopback();

async function watch(handler: Handler, options: WatchOptions = {}) {
  const transport = open(await serve(handler), {}, { retry: { attempts: 0 } });
  return watchEvents(transport, Secrets, options);
}

/** Answers with these lines and leaves the connection open, or ends it. */
const lines =
  (end: boolean, ...events: readonly string[]): Handler =>
  (_, response) => {
    response.setHeader('content-type', 'application/json');
    for (const event of events) response.write(`${event}\n`);
    if (end) response.end();
    else response.flushHeaders();
  };

async function collect(events: AsyncIterable<WatchEvent<Secret>>) {
  const seen: WatchEvent<Secret>[] = [];
  let failure: unknown;
  try {
    for await (const event of events) seen.push(event);
  } catch (error) {
    failure = error;
  }
  return { seen, failure };
}

const secret = (type: string) =>
  JSON.stringify({ type, object: { kind: 'Secret', metadata: { name: 'a', resourceVersion: '2' } } });
const error = (code: number, reason: string) =>
  JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code, reason, message: 'it failed' } });

describe('watchEvents', () => {
  it('gives events and bookmarks in order and ends with the server', async () => {
    const bookmark = JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } });
    const { seen, failure } = await collect(await watch(lines(true, secret('ADDED'), bookmark, secret('DELETED'))));
    expect(failure).toBeUndefined();
    expect(seen).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: false },
      { type: 'DELETED' },
    ]);
  });

  it('tells when the server has accepted it, before any event', async () => {
    let opened = 0;
    const abort = new AbortController();
    const onOpen = () => {
      opened += 1;
      abort.abort();
    };
    const { failure } = await collect(await watch(lines(false), { onOpen, signal: abort.signal }));
    expect(opened).toBe(1);
    expect(failure).toMatchObject({ code: 'KUBE_ABORTED' });
  });

  it.each([
    [410, 'Expired', 'KUBE_GONE'],
    [500, 'InternalError', 'KUBE_SERVER_ERROR'],
    [429, 'TooManyRequests', 'KUBE_TOO_MANY_REQUESTS'],
    [403, 'Forbidden', 'KUBE_FORBIDDEN'],
  ])('throws what the server reports inside of it: %i %s', async (code, reason, expected) => {
    const { seen, failure } = await collect(await watch(lines(false, secret('ADDED'), error(code, reason))));
    expect(seen).toHaveLength(1);
    expect(failure).toMatchObject({ code: expected, reason, message: expect.stringContaining('it failed') });
  });

  it('takes a login page for what it is', async () => {
    const page: Handler = (_, response) => response.setHeader('content-type', 'text/html').end('<html>\nSign in');
    const { failure } = await collect(await watch(page));
    expect(failure).toMatchObject({ code: 'KUBE_NOT_KUBERNETES' });
  });

  it('repeats nothing of a line it could not read', async () => {
    const { failure } = await collect(await watch(lines(false, '{"type":"ADDED","object":{"data":hunter2}}')));
    expect(failure).toMatchObject({ code: 'KUBE_UNREACHABLE', object: 'secrets' });
    expect(inspect(failure, { depth: 10 })).not.toContain('hunter2');
  });

  it('counts silence as a dead connection', async () => {
    const { failure } = await collect(await watch(lines(false), { inactivityMs: 20 }));
    expect(failure).toMatchObject({ code: 'KUBE_UNREACHABLE', reason: 'Silent' });
  });

  it('lets go of its connection when the reader leaves', async () => {
    let closed = false;
    const handler: Handler = (request, response) => {
      lines(false, secret('ADDED'))(request, response);
      response.on('close', () => {
        closed = true;
      });
    };
    for await (const event of await watch(handler)) {
      expect(event.type).toBe('ADDED');
      break;
    }
    await expect.poll(() => closed).toBe(true);
  });
});
