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
}

/** Sends events as the body of an answer. The headers go out at once, so that a client knows the watch is on. */
export function responseSink(response: ServerResponse, headers: Readonly<Record<string, string | string[]>>): Sink {
  return {
    start() {
      response.writeHead(200, headers);
      response.flushHeaders();
    },
    write: (piece) => response.write(piece),
    onDrain(listener) {
      response.once('drain', listener);
    },
    end() {
      response.end();
    },
  };
}
