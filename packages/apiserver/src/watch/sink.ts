import type { ServerResponse } from 'node:http';

/** Where the events of a watch go. */
export interface Sink {
  /** Called once, before anything is written: the watch is accepted. */
  start(): void;
  /** Takes a piece of the stream. Returns false when the next should wait for {@link onDrain}. */
  write(piece: string | Uint8Array): boolean;
  /** Calls once, as soon as more can be taken after `write` returned false. */
  onDrain(listener: () => void): void;
  /** Nothing more comes. */
  end(): void;
  /** The client takes nothing: what it has not taken yet is dropped. */
  abandon(): void;
}

/** How long a client may leave the end of its watch lying. */
const END_TAKEN_WITHIN_MS = 10_000;

/** Sends events as the body of an answer. The headers go out at once, so that a client knows the watch is on. */
export function responseSink(response: ServerResponse, headers: Readonly<Record<string, string | string[]>>): Sink {
  return {
    start() {
      // Silence is normal from here on.
      response.setTimeout(0);
      response.writeHead(200, headers);
      response.flushHeaders();
    },
    write: (piece) => response.write(piece),
    onDrain(listener) {
      response.once('drain', listener);
    },
    end() {
      response.end();
      response.setTimeout(END_TAKEN_WITHIN_MS);
    },
    abandon() {
      response.destroy();
    },
  };
}
