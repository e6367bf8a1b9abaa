import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Standard input. One reader serves a whole command, so that no answer that was typed ahead is lost. */
export interface Input {
  /** Whether a person types at a keyboard. */
  readonly isTyped: boolean;
  /** The next line without its end; undefined when there are no more. Rejects when the signal aborts. */
  line(signal?: AbortSignal): Promise<string | undefined>;
  /** All that is left. Afterwards there are no more lines. */
  rest(signal?: AbortSignal): Promise<string>;
  /** Stops reading, so that the process can end. */
  close(): void;
}

/** Reads a stream by lines. Nothing is read before the first question. */
export function inputFrom(stream: Readable & { readonly isTTY?: boolean }): Input {
  const lines: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let reader: Interface | undefined;
  let isOver = false;

  const end = () => {
    isOver = true;
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  const open = () => {
    if (reader !== undefined || isOver) return;
    reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
    reader.on('line', (line) => {
      const next = waiting.shift();
      if (next) next(line);
      else lines.push(line);
    });
    reader.once('close', end);
    stream.once('error', end);
  };
  const line = (signal?: AbortSignal): Promise<string | undefined> => {
    signal?.throwIfAborted();
    open();
    const ready = lines.shift();
    if (ready !== undefined || isOver) return Promise.resolve(ready);
    return new Promise((resolve, reject) => {
      const answer = (text: string | undefined) => {
        signal?.removeEventListener('abort', giveUp);
        resolve(text);
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(answer), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.push(answer);
    });
  };
  return {
    isTyped: stream.isTTY === true,
    line,
    rest: async (signal) => {
      const all: string[] = [];
      for (let next = await line(signal); next !== undefined; next = await line(signal)) all.push(next);
      return all.length === 0 ? '' : `${all.join('\n')}\n`;
    },
    close: () => {
      reader?.close();
      if (reader !== undefined) stream.destroy();
    },
  };
}
