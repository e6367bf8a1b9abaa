import { isKubeError, type KubeError } from '@klutch/kube';
import type { Rejection } from './memory.ts';

/** Whether the control plane understood the request and does not want the object as it is. */
export function isRejection(error: unknown): error is KubeError {
  if (isKubeError(error, 'KUBE_INVALID', 'KUBE_FORBIDDEN', 'KUBE_NOT_FOUND', 'KUBE_REQUEST_FAILED')) return true;
  // A field that the schema of the control plane lacks is reported as if the server had failed.
  return isKubeError(error, 'KUBE_SERVER_ERROR') && /typed patch object|not declared in schema/.test(textOf(error));
}

/** What is remembered of a rejection: each one in a row is followed by a longer pause, of at most two minutes. */
export function rejectionOf(
  error: KubeError,
  attempt: Pick<Rejection, 'applied' | 'copyVersion'>,
  before: Rejection | undefined,
  now: number,
): Rejection {
  const isSame = before?.applied === attempt.applied && before.copyVersion === attempt.copyVersion;
  const failures = isSame ? before.failures + 1 : 1;
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
  return { ...attempt, message: adviceFor(textOf(error)), failures, until: now + pauseMs, mayPass: lacksRights(error) };
}

const firstPauseMs = 250;
const longestPauseMs = 120_000;

function textOf(error: KubeError): string {
  return error.body?.message ?? error.message;
}

/** The words of the control plane, and what to do where they do not say it. */
function adviceFor(text: string): string {
  if (!text.includes('exceeded quota: ')) return text;
  return `${text}. Delete claims in this namespace that are no longer needed, or ask the provider to raise the limit.`;
}

/** Rights in a fresh namespace take a moment to be effective; an admission plugin's refusal reads differently. */
function lacksRights(error: KubeError): boolean {
  return isKubeError(error, 'KUBE_FORBIDDEN') && / cannot [a-z]+ resource /.test(textOf(error));
}
