import {
  APIServiceBindingReason,
  type ConditionState,
  ConditionType,
  type Enrolment,
  errorEntry,
  falseCondition,
  isKlutchError,
} from '@klutch/api';
import type { Purpose } from './decide.ts';

/** What bindings say while the backend is asked. */
export function enrolling({ backendUrl }: Enrolment): ConditionState {
  const message = `The konnector asks ${backendUrl} for a credential.`;
  return falseCondition(ConditionType.Enrolled, 'Info', APIServiceBindingReason.Enrolling, message);
}

/** What bindings say when a credential is needed and the backend does not accept the token any more. */
function expired({ backendUrl, expiresAt }: Enrolment): ConditionState {
  const message =
    `${backendUrl} does not accept the enrolment token, which was to end at ${expiresAt.toISOString()}, and this app cluster has no working credential. ` +
    'Make the bundle again with `klutch bind <provider-url> --bundle` and the --cluster-id that its first lines name, and apply it.';
  return falseCondition(ConditionType.Enrolled, 'Error', APIServiceBindingReason.EnrolmentExpired, message);
}

/** What bindings say when their enrolment Secret cannot be read. */
export function secretInvalid(problem: string): ConditionState {
  return falseCondition(ConditionType.Enrolled, 'Error', APIServiceBindingReason.EnrolmentSecretInvalid, problem);
}

/** Why an exchange failed, for bindings and for the Event. `isFinal`: trying again soon cannot help. */
export interface Failure {
  readonly state: ConditionState;
  readonly isFinal: boolean;
}

/** What an error of an exchange means. Without a credential nothing works; without an export only what needs it. */
export function failureOf(error: unknown, enrolment: Enrolment, purpose: Purpose): Failure {
  const { backendUrl } = enrolment;
  const severity = purpose === 'credential' ? 'Error' : 'Warning';
  const state = (reason: string, message: string) => falseCondition(ConditionType.Enrolled, severity, reason, message);
  if (!isKlutchError(error)) {
    const problem = 'An unexpected error occurred; the log of the konnector has it. It tries again.';
    return { state: state(APIServiceBindingReason.EnrolmentFailed, problem), isFinal: false };
  }
  if (error.code === 'KLUTCH_CLUSTER_IDENTITY_TAKEN') {
    return { state: state(APIServiceBindingReason.EnrolledElsewhere, error.message), isFinal: true };
  }
  if (error.code === 'KLUTCH_ENROLMENT_INVALID') return { state: expired(enrolment), isFinal: true };
  const { httpStatus = 503 } = errorEntry(error.code);
  if (httpStatus < 500 && httpStatus !== 429) {
    return { state: state(APIServiceBindingReason.EnrolmentRefused, error.message), isFinal: true };
  }
  const message = `${backendUrl} could not be asked for a credential: ${error.message} The konnector tries again.`;
  return { state: state(APIServiceBindingReason.EnrolmentFailed, message), isFinal: false };
}
