import type { Logger } from '@klutch/kube';
import { pino, stdTimeFunctions } from 'pino';
import type { Terminal } from '../terminal/terminal.ts';
import { describedError } from './described-error.ts';
import type { LogOptions } from './log-options.ts';
import { prettyLine } from './pretty-line.ts';

/** A logger that tells the terminal one line for each entry. */
export function createLogger({ level, format }: LogOptions, terminal: Pick<Terminal, 'tell' | 'reader'>): Logger {
  const isColoured = terminal.reader === 'coloured screen';
  const write = (line: string) => {
    const json = line.trimEnd();
    terminal.tell(format === 'pretty' ? prettyLine(json, isColoured) : json);
  };
  return pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describedError },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '(hidden)' },
    },
    { write },
  );
}

/** Nobody should log these. Should somebody all the same, their values stay out of sight. */
const secretFields = [
  'authorization',
  'data',
  'kubeconfig',
  'password',
  'secretData',
  'stringData',
  'token',
  'clientKey',
  'privateKey',
] as const;
