import { errorCatalogue, errorEntry, type ExitClass, type KlutchErrorCode } from '@klutch/api';
import type { KubeErrorCode } from '@klutch/kube';
import { exitCodes, UNCLASSIFIED } from './exit.ts';

/** What a command ends with. */
export interface Failure {
  /** One or more sentences for people: no stack, no class name. */
  readonly message: string;
  readonly exitCode: number;
}

/** Pure: how to report an error of any kind. */
export function failureOf(error: unknown): Failure {
  const message = asSentence(error instanceof Error ? error.message : String(error));
  const exit = classOf(error);
  return { message, exitCode: exit === undefined ? UNCLASSIFIED : exitCodes[exit] };
}

function classOf(error: unknown): ExitClass | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (Object.hasOwn(errorCatalogue, code)) return errorEntry(code as KlutchErrorCode).exit;
  if (Object.hasOwn(classesOfKube, code)) return classesOfKube[code as KubeErrorCode];
  return undefined;
}

const classesOfKube: Readonly<Record<KubeErrorCode, ExitClass>> = {
  KUBE_CONFIG_UNREADABLE: 'usage',
  KUBE_CONFIG_INVALID: 'usage',
  KUBE_CONFIG_UNTRUSTED: 'usage',
  KUBE_CREDENTIALS_FAILED: 'authentication',
  KUBE_UNREACHABLE: 'remote',
  KUBE_TLS_UNTRUSTED: 'remote',
  KUBE_TLS_EXPIRED: 'remote',
  KUBE_TLS_CLIENT_REJECTED: 'authentication',
  KUBE_NOT_KUBERNETES: 'remote',
  KUBE_UNAUTHORIZED: 'authentication',
  KUBE_FORBIDDEN: 'authorisation',
  KUBE_NOT_FOUND: 'remote',
  KUBE_ALREADY_EXISTS: 'conflict',
  KUBE_CONFLICT: 'conflict',
  KUBE_GONE: 'remote',
  KUBE_INVALID: 'remote',
  KUBE_TOO_MANY_REQUESTS: 'remote',
  KUBE_SERVER_ERROR: 'remote',
  KUBE_TIMEOUT: 'timeout',
  KUBE_ABORTED: 'remote',
  KUBE_REQUEST_FAILED: 'remote',
  KUBE_LEADERSHIP_LOST: 'remote',
};

function asSentence(text: string): string {
  const sentence = text.trim().replace(/^./, (first) => first.toUpperCase());
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
