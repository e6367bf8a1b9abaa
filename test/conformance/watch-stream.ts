import { once } from 'node:events';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { eventually } from '@klutch/kit';
import type { Received } from './client.ts';

/** One event of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: Received;
}

/** An open watch, or the refusal of one. */
export interface Watch {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All events so far. A refusal has none; its Status is in {@link text}. */
  readonly events: readonly WatchEvent[];
  /** Everything received so far. */
  text(): string;
  /** Waits until at least this many events have come, and returns all so far. */
  take(count: number): Promise<readonly WatchEvent[]>;
  /** Waits for an event that fits, and returns all events up to it. */
  until(fits: (event: WatchEvent) => boolean, what: string): Promise<readonly WatchEvent[]>;
  /** Waits until the server has ended the stream. */
  ended(): Promise<void>;
  /** Hangs up. */
  close(): void;
}

/** Opens a watch and collects what comes. Events are separated by line breaks, as in a JSON stream. */
export async function openWatch(open: (signal: AbortSignal) => ClientRequest): Promise<Watch> {
  const controller = new AbortController();
  const request = open(controller.signal);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const isStream = response.statusCode === 200;
  const events: WatchEvent[] = [];
  let text = '';
  let rest = '';
  let done = false;
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (isStream) events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WatchEvent));
  });
  response.on('close', () => {
    done = true;
  });
  // Hanging up surfaces as an error here, and so does a server that does; `ended` tells of both.
  response.on('error', () => undefined);
  request.on('error', () => undefined);

  const until: Watch['until'] = async (fits, what) => {
    const upTo = await eventually(() => events.findIndex(fits) + 1 || undefined, {
      what: `watch event: ${what}`,
      everyMs: 10,
    });
    return events.slice(0, upTo);
  };
  return {
    status: Number(response.statusCode),
    headers: response.headers,
    events,
    text: () => text,
    take: async (count) => {
      await eventually(() => events.length >= count, { what: `${count} watch events`, everyMs: 10 });
      return events;
    },
    until,
    ended: async () => {
      await eventually(() => done, { what: 'the end of the watch', everyMs: 10 });
    },
    close: () => controller.abort(),
  };
}
