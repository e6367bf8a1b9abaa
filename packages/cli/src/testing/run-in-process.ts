import { Readable } from 'node:stream';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { main } from '../main.ts';
import { inputFrom } from '../terminal/input.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A command that runs in this process. */
export interface CommandRun {
  /** Standard output so far. */
  out(): string;
  /** Standard error so far. */
  err(): string;
  /** Waits until standard error has a text, and yields the match. Fails when the command ends without. */
  says(text: RegExp): Promise<RegExpExecArray>;
  /** Waits for the end; the exit code. */
  ended(): Promise<number>;
  /** What Ctrl-C does. */
  interrupt(): void;
}

export interface CommandRunOptions {
  /** What is piped in. Default: nothing. */
  readonly input?: string;
  readonly reader?: Terminal['reader'];
}

/** Runs a command in this process; it is interrupted with the test at the latest. */
export function runCommand(
  args: readonly string[],
  { input = '', reader = 'program' }: CommandRunOptions = {},
): CommandRun {
  const texts = { out: '', err: '' };
  const interruption = new AbortController();
  const stdin = inputFrom(Readable.from(input === '' ? [] : [input]));
  let isOver = false;
  const terminal: Terminal = {
    print: (text) => void (texts.out += `${text}\n`),
    tell: (text) => void (texts.err += `${text}\n`),
    reader,
    untilInterrupted: () => interruption.signal,
    input: () => stdin,
  };
  const running = main(args, terminal).finally(() => {
    isOver = true;
  });
  onTestFinished(async () => {
    interruption.abort();
    await running;
  });
  return {
    out: () => texts.out,
    err: () => texts.err,
    ended: () => running,
    interrupt: () => interruption.abort(),
    says: async (text) => {
      for (;;) {
        const match = text.exec(texts.err);
        if (match !== null) return match;
        if (isOver) throw new Error(`The command ended without saying ${String(text)}, but: ${texts.err}`);
        await pauseFor(10);
      }
    },
  };
}
