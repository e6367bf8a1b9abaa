import { errorCatalogue, errorEntry, type ExitClass, type KlutchErrorCode } from '@klutch/api';
import { CommandError } from './command-error.ts';
import { exitCodes, UNFORESEEN } from './exit.ts';

/** What a command ends with. */
export interface Failure {
  /** One or more sentences for people: no stack, no class name. */
  readonly message: string;
  readonly exitCode: number;
}

/** Errors of the embedded API server, which knows nothing of commands. */
const classesOfApiServer: ReadonlyMap<string, ExitClass> = new Map([
  ['KLUTCH_APISERVER_PORT_IN_USE', 'conflict'],
  ['KLUTCH_APISERVER_PORT_REFUSED', 'usage'],
  ['KLUTCH_APISERVER_PKI_UNUSABLE', 'usage'],
  ['KLUTCH_STORE_LOCKED', 'conflict'],
  ['KLUTCH_STORE_UNUSABLE', 'usage'],
  ['KLUTCH_STORE_DAMAGED', 'usage'],
]);

/** Pure: how to report an error of any kind. */
export function failureOf(error: unknown): Failure {
  const message = asSentence(error instanceof Error ? error.message : String(error));
  const exit = classOf(error);
  return { message, exitCode: exit === undefined ? UNFORESEEN : exitCodes[exit] };
}

function classOf(error: unknown): ExitClass | undefined {
  if (error instanceof CommandError) return error.exit;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return isCatalogued(code) ? errorEntry(code).exit : classesOfApiServer.get(code);
}

function isCatalogued(code: string): code is KlutchErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

function asSentence(text: string): string {
  const sentence = text.trim().replace(/^./, (first) => first.toUpperCase());
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
