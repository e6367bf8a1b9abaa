import { once } from 'node:events';
import { processTerminal } from '../terminal/process-terminal.ts';

/** A program that is asked to end and never gets done with it. */
const terminal = processTerminal();
const interrupted = terminal.untilInterrupted();
setInterval(() => undefined, 60_000);
terminal.tell('ready');
await once(interrupted, 'abort');
terminal.tell('stopping');
