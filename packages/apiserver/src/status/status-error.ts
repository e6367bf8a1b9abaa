import type { FieldCause } from '@klutch/cel';
import type { GroupResource } from '../objects/api-object.ts';

export type { FieldCause } from '@klutch/cel';

/** The `Status` object that clients get with an error. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  /** `continue`: how to go on with a list whose history is gone, when the error is about that. */
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** A request that fails in a way the client is told about; the text is the one Kubernetes would send. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string;
  readonly details?: StatusDetails;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      // Kubernetes leaves the reason out where it has none, as for errors it did not expect.
      reason: this.reason === '' ? undefined : this.reason,
      details: this.details,
      code: this.code,
    };
  }
}

const qualified = ({ group, resource }: GroupResource) => (group === '' ? resource : `${resource}.${group}`);

const detailsOf = ({ group, resource }: GroupResource, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: resource,
});

export function notFound(type: GroupResource, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(type)} "${name}" not found`, detailsOf(type, name));
}

/** The path does not lead to any resource. */
export function noSuchPath(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(type: GroupResource, name: string): StatusError {
  return new StatusError(409, 'AlreadyExists', `${qualified(type)} "${name}" already exists`, detailsOf(type, name));
}

/** @param problem for example `the object has been modified; please apply your changes to the latest version and try again` */
export function conflict(type: GroupResource, name: string, problem: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${problem}`;
  return new StatusError(409, 'Conflict', message, detailsOf(type, name));
}

/** The content of an object breaks rules of its type. */
export function invalid(group: string, kind: string, name: string, causes: readonly FieldCause[]): StatusError {
  const qualifiedKind = group === '' ? kind : `${kind}.${group}`;
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const inOrder = causes.map(({ reason, message, field }) => ({ reason, message, field }));
  const details = { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind, causes: inOrder };
  return new StatusError(422, 'Invalid', `${qualifiedKind} "${name}" is invalid: ${said}`, details);
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

export function forbidden(type: GroupResource, name: string, problem: string): StatusError {
  const subject = name === '' ? qualified(type) : `${qualified(type)} "${name}"`;
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${problem}`, detailsOf(type, name));
}

/** A resource version or continue token of which the history is gone. */
export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

/** The path exists, but not for this method. */
export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** {@link methodNotAllowed}, in the words that custom resources have for it. */
export function verbNotSupported(type: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${qualified(type)}"`;
  return new StatusError(405, 'MethodNotAllowed', message, detailsOf(type, ''));
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

export function tooLarge(message: string): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', message);
}

export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  });
}
