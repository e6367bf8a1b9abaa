import { type APIServiceBinding, APIServiceBindingReason, ConditionType, findCondition } from '@klutch/api';
import type { Reading } from '../bindings/kubeconfig-of.ts';

/** What is known when an enrolment is considered. */
export interface Observed {
  /** Bindings that name the kubeconfig Secret of the enrolment. */
  readonly bindings: readonly APIServiceBinding[];
  /** What that Secret holds. */
  readonly kubeconfig: Reading;
}

/** What the backend is asked for: a credential, or exports that a binding lacks although the credential works. */
export type Purpose = 'credential' | 'exports';

export type Decision =
  /** Nothing is needed from the backend. */
  | { readonly type: 'rest' }
  /**
   * Exchange the token. With `onlyIfRejected`, the kubeconfig that is there has to be tried first: a condition may be older
   * than the kubeconfig, and one that works is never replaced.
   */
  | { readonly type: 'exchange'; readonly purpose: Purpose; readonly onlyIfRejected?: true };

/** Whether the token has to be exchanged. Whether it can be is up to the backend, by whose clock it ends. */
export function decide({ bindings, kubeconfig }: Observed): Decision {
  const living = bindings.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (living.length === 0) return { type: 'rest' };
  if (!kubeconfig.kubeconfig) return { type: 'exchange', purpose: 'credential' };
  if (living.some(isRejected)) return { type: 'exchange', purpose: 'credential', onlyIfRejected: true };
  // A bundle that was made again, with more APIs than before.
  if (living.some(lacksExport)) return { type: 'exchange', purpose: 'exports' };
  return { type: 'rest' };
}

function isRejected(binding: APIServiceBinding): boolean {
  return says(binding, ConditionType.Heartbeating, APIServiceBindingReason.CredentialsRejected);
}

function lacksExport(binding: APIServiceBinding): boolean {
  return says(binding, ConditionType.Connected, APIServiceBindingReason.APIServiceExportNotFound);
}

function says({ status }: APIServiceBinding, type: string, reason: string): boolean {
  const condition = findCondition(status?.conditions ?? [], type);
  return condition?.status === 'False' && condition.reason === reason;
}
