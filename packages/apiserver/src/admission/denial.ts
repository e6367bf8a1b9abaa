import { forbidden, StatusError } from '../status/status-error.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';
import type { Policy, PolicyBinding } from './policy-objects.ts';

/** A policy that refuses a request. */
export interface Denial {
  readonly policy: Policy;
  /** Undefined when the policy itself cannot be used. */
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: string | undefined;
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** The error a client gets: always in the words of a forbidden request, whatever the reason. */
export function denied(
  attributes: AdmissionAttributes,
  { policy, binding, message, reason = 'Invalid' }: Denial,
): StatusError {
  const by = binding ? ` with binding '${binding.metadata.name}'` : '';
  const said = `ValidatingAdmissionPolicy '${policy.metadata.name}'${by} denied request: ${message}`;
  const { message: text, details } = forbidden(attributes.resource, attributes.name || 'Unknown', said);
  return new StatusError(codes[reason] ?? 422, reason, text, { ...details, causes: [{ message: said }] });
}

/** What a client is warned of when the binding does not deny. */
export function warningText({ policy, binding, message }: Denial): string {
  const names = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding?.metadata.name}'`;
  return `Validation failed for ${names}: ${message}`;
}
