import { isKubeError, KubeError } from '../errors/kube-error.ts';
import { fileProblem } from './file-problem.ts';

/** The error for credentials that cannot be had. `message` says why and what to do, and holds no secret. */
export function credentialsFailed(message: string, cause?: unknown): KubeError {
  return new KubeError('KUBE_CREDENTIALS_FAILED', message, { cause });
}

/** Explains why a file with credentials cannot be used; errors that already explain themselves pass unchanged. */
export function credentialFileFailed(what: string, path: string, cause: unknown): KubeError {
  if (isKubeError(cause)) return cause;
  return credentialsFailed(
    `The ${what} file ${path} ${fileProblem(cause)}. Provide it or correct the kubeconfig.`,
    cause,
  );
}
