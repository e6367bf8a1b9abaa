import { KlutchError } from '@klutch/api';
import type { Reader } from '../terminal/terminal.ts';

const logLevels = ['debug', 'info', 'warn', 'error'] as const;
const logFormats = ['json', 'pretty'] as const;

/** How a component logs. */
export interface LogOptions {
  readonly level: (typeof logLevels)[number];
  readonly format: (typeof logFormats)[number];
}

/** Flags of the Go components that say how to log, and whether they have a value. */
const goLogFlags: Readonly<Record<string, 'value' | 'switch'>> = {
  v: 'value',
  vmodule: 'value',
  'logging-format': 'value',
  'log-flush-frequency': 'value',
  'log-text-split-stream': 'switch',
  'log-text-info-buffer-size': 'value',
  'log-json-split-stream': 'switch',
  'log-json-info-buffer-size': 'value',
};

/**
 * Pure: separates what is said about logs from the other arguments. Besides our own flags those of the Go components are
 * understood: `-v` of 4 or more is `debug`, `--logging-format` is honoured, the others have no effect. Throws
 * `KLUTCH_USAGE`, naming the flag or variable.
 */
export function takeLogOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  reader: Reader,
): { readonly logs: LogOptions; readonly rest: readonly string[] } {
  const { given, rest } = separate(args);
  const chosenLevel = given.get('log-level');
  const chosenFormat = given.get('log-format');
  const level =
    chosenLevel === undefined
      ? (levelOfGo(given.get('v')) ?? oneOf(logLevels, 'LOG_LEVEL', env['LOG_LEVEL'] || 'info'))
      : oneOf(logLevels, '--log-level', chosenLevel);
  const format =
    chosenFormat === undefined
      ? (formatOfGo(given.get('logging-format')) ?? (reader === 'program' ? 'json' : 'pretty'))
      : oneOf(logFormats, '--log-format', chosenFormat);
  return { logs: { level, format }, rest };
}

function separate(args: readonly string[]): { given: ReadonlyMap<string, string>; rest: readonly string[] } {
  const given = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const { name = '', value } = /^--?(?<name>[a-z][a-z-]*)(?:=(?<value>.*))?$/s.exec(short(arg))?.groups ?? {};
    const kind = name === 'log-level' || name === 'log-format' ? 'value' : goLogFlags[name];
    if (kind === undefined) rest.push(arg);
    else if (kind === 'switch') given.set(name, value ?? 'true');
    else given.set(name, value ?? args[++at] ?? missing(name));
  }
  return { given, rest };
}

/** `-v4` is `-v=4`. */
function short(arg: string): string {
  return arg.replace(/^-v(?=\d+$)/, '-v=');
}

function levelOfGo(verbosity: string | undefined): LogOptions['level'] | undefined {
  if (verbosity === undefined) return undefined;
  if (!/^\d+$/.test(verbosity)) throw usage(`-v must be a number, not "${verbosity}".`);
  return Number(verbosity) >= 4 ? 'debug' : undefined;
}

function formatOfGo(format: string | undefined): LogOptions['format'] | undefined {
  if (format === undefined) return undefined;
  return oneOf(['json', 'text'], '--logging-format', format) === 'json' ? 'json' : 'pretty';
}

function oneOf<T extends string>(values: readonly T[], name: string, given: string): T {
  const found = values.find((value) => value === given.toLowerCase());
  if (found !== undefined) return found;
  throw usage(`${name} must be one of ${values.join(', ')}, not "${given}".`);
}

function missing(name: string): never {
  throw usage(`--${name} needs a value.`);
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
