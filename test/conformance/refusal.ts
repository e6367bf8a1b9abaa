import { expect } from 'vitest';
import type { Answer, Received } from './client.ts';

/** The error a client gets: HTTP code and Status. */
export interface Refusal {
  readonly code: number;
  /** Kubernetes leaves it out for errors it did not expect. */
  readonly reason?: string;
  /** `expect.stringMatching(…)` where the text carries something that differs from run to run. */
  readonly message: string;
  readonly details?: object;
}

/** A refusal, in the order in which people read it. */
export function refusal(code: number, reason: string | undefined, message: string, details?: object): Refusal {
  return { code, reason, message, details };
}

/** There is no object of this name. A resource outside the core group is written `deployments.apps`. */
export function notFound(resource: string, name: string): Refusal {
  return refusal(404, 'NotFound', `${resource} "${name}" not found`, namesObject(resource, name));
}

/** The path leads to no resource. */
export const noSuchPath = refusal(404, 'NotFound', 'the server could not find the requested resource', {});

/** The resource exists, but not for this method. */
export const methodNotAllowed = refusal(
  405,
  'MethodNotAllowed',
  'the server does not allow this method on the requested resource',
  {},
);

/** The request itself is wrong, whatever the server holds. */
export function badRequest(message: string): Refusal {
  return refusal(400, 'BadRequest', message);
}

/** The request does not fit the present state of the object. */
export function conflict(resource: string, name: string, problem: string): Refusal {
  const message = `Operation cannot be fulfilled on ${resource} "${name}": ${problem}`;
  return refusal(409, 'Conflict', message, namesObject(resource, name));
}

/** The usual problem of a {@link conflict}. */
export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** The user may not do this, or nobody may. */
export function forbidden(resource: string, name: string, problem: string): Refusal {
  const subject = name === '' ? resource : `${resource} "${name}"`;
  return refusal(403, 'Forbidden', `${subject} is forbidden: ${problem}`, namesObject(resource, name));
}

function namesObject(qualified: string, name: string): object {
  const [kind = '', ...group] = qualified.split('.');
  return { ...(name === '' ? {} : { name }), ...(group.length === 0 ? {} : { group: group.join('.') }), kind };
}

/** Everything that is wrong with an object. */
export type Causes = readonly (readonly [field: string, reason: string, message: string])[];

/** The refusal of an object whose fields break the rules of its kind. */
export function invalid(
  kind: { readonly group?: string; readonly kind: string },
  name: string,
  causes: Causes,
): Refusal {
  const texts = causes.map(([field, , message]) => `${field}: ${message}`);
  const qualified = kind.group === undefined ? kind.kind : `${kind.kind}.${kind.group}`;
  return {
    code: 422,
    reason: 'Invalid',
    message: `${qualified} "${name}" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === undefined ? {} : { group: kind.group }),
      kind: kind.kind,
      causes: causes.map(([field, reason, message]) => ({ reason, message, field })),
    },
  };
}

/** A text of which only the beginning is the same everywhere. */
export function startingWith(text: string): string {
  return expect.stringMatching(new RegExp(`^${escaped(text)}`)) as string;
}

/** The refusal of a value, as a cause says it. */
export function invalidValue(value: string, rule: string): string {
  return `Invalid value: ${JSON.stringify(value)}: ${rule}`;
}

/** The rules that names of all sorts must keep, in the words of Kubernetes. */
export const nameRules = {
  subdomain:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  label:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  dns1035:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  qualified:
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  configKey:
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  labelKey:
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  labelValue:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
} as const;

/** The refusal of a patch whose outcome is no object of the kind. Kubernetes quotes the whole outcome. */
export function undecodable(problem: string): Refusal {
  const ending = problem.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const message = (start: string) =>
    expect.stringMatching(new RegExp(`^${start}Invalid value: "\\{.*\\}": ${ending}`)) as string;
  return {
    code: 422,
    reason: 'Invalid',
    message: message(' "" is invalid: patch: '),
    details: { causes: [{ reason: 'FieldValueInvalid', message: message(''), field: 'patch' }] },
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * Compares the whole Status, and that the HTTP status agrees with it. Causes count once: Kubernetes validates the metadata
 * of an update several times and lists the same problem as often, which nobody can depend on.
 */
export function expectRefusal(answer: Answer, expected: Refusal): void {
  expect({ status: answer.status, body: withDistinctCauses(answer.body) }).toEqual({
    status: expected.code,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...expected },
  });
}

function withDistinctCauses(body: Received): object {
  const details = body.details as { readonly causes?: readonly object[] } | undefined;
  if (details?.causes === undefined) return body;
  const causes = new Map(details.causes.map((cause) => [JSON.stringify(cause), cause]));
  return { ...body, details: { ...details, causes: [...causes.values()] } };
}
