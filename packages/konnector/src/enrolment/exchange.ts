import type { Enrolment } from '@klutch/api';

/** How an app cluster shows who it is. */
export interface Proof {
  /** UID of its `kube-system` Namespace. */
  readonly clusterUid: string;
  /** What the backend recognises it by when it comes again. A secret. */
  readonly key: string;
}

/**
 * Asks the backend for a kubeconfig, and for the exports that the bundle was made for. Doing it again yields a credential
 * again. Throws a `KlutchError` with the code that the backend gave, or one of the provider.
 */
export type Exchange = (enrolment: Enrolment, proof: Proof, signal: AbortSignal) => Promise<string>;
