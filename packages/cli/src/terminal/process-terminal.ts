import { exitCodeOfSignal } from '../exit.ts';
import type { Reader, Terminal } from './terminal.ts';

/** The terminal, or whatever else, of this process. */
export function processTerminal(): Terminal {
  // Whoever read our output may be gone; that is no reason to end before the work is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return {
    print: (text) => void process.stdout.write(`${text}\n`),
    tell: (text) => void process.stderr.write(`${text}\n`),
    reader: readerOf(process.stderr),
    untilInterrupted,
  };
}

function untilInterrupted(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) process.exit(exitCodeOfSignal(signal));
      interruption.abort();
    });
  }
  return interruption.signal;
}

function readerOf(stream: NodeJS.WriteStream): Reader {
  if (!stream.isTTY) return 'program';
  return stream.hasColors() ? 'coloured screen' : 'screen';
}
