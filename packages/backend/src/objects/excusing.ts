import { isKubeError, type KubeErrorCode } from '@klutch/kube';

/** Waits for a request; undefined when it fails for one of these reasons, which the caller has foreseen. */
export async function excusing<T>(request: Promise<T>, ...codes: KubeErrorCode[]): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isKubeError(error, ...codes)) return undefined;
    throw error;
  }
}
