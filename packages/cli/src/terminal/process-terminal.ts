import { stripVTControlCharacters } from 'node:util';
import { exitCodeOfSignal } from '../exit.ts';
import { type Input, inputFrom } from './input.ts';
import type { Reader, Terminal } from './terminal.ts';

/** The terminal, or whatever else, of this process. */
export function processTerminal(): Terminal {
  // Whoever read our output may be gone; that is no reason to end before the work is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const reader = readerOf(process.stderr);
  const picture = reader === 'program' ? undefined : pictureOn(process.stderr);
  const over = (write: () => void) => {
    picture?.hide();
    write();
    picture?.show();
  };
  let input: Input | undefined;
  return {
    print: (text) => over(() => void process.stdout.write(`${text}\n`)),
    tell: (text) => over(() => void process.stderr.write(`${text}\n`)),
    reader,
    untilInterrupted,
    draw: picture?.draw,
    input: () => (input ??= inputFrom(process.stdin)),
  };
}

/** The last line of a screen, which moves down as others are written above it. */
function pictureOn(screen: NodeJS.WriteStream) {
  let line = '';
  const hide = () => {
    if (line !== '') screen.write('\r\u001b[2K');
  };
  const show = () => {
    if (line !== '') screen.write(line);
  };
  const draw = (next: string) => {
    hide();
    line = fitting(next, screen.columns);
    show();
  };
  return { hide, show, draw };
}

/** What would go on in a second line could not be taken away again. */
function fitting(line: string, columns: number): string {
  const text = stripVTControlCharacters(line);
  return text.length < columns ? line : text.slice(0, columns - 1);
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
  // The convention of no-color.org: any text counts, whatever the terminal can do.
  return stream.hasColors() && !process.env['NO_COLOR'] ? 'coloured screen' : 'screen';
}
