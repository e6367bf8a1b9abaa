import { isKubeError, KubeError, type UnknownObject } from '@klutch/kube';
import { contentOf } from './render-copy.ts';

/**
 * The error without anything of the object's content: servers and webhooks quote values they refuse. What the server
 * sent is left out too.
 */
export function redactError(error: unknown, ...objects: readonly UnknownObject[]): unknown {
  if (!isKubeError(error)) return error;
  const { status, object, retryAfterSeconds } = error;
  const causes = error.body?.details?.causes ?? [];
  // The one cause that changes what has to be done.
  const reason = causes.some((cause) => cause.reason === namespaceTerminating) ? namespaceTerminating : error.reason;
  const message = redactText(error.message, ...objects);
  return new KubeError(error.code, message, { status, reason, object, retryAfterSeconds });
}

/** Reason of an error that says: nothing can be created there any more. */
export const namespaceTerminating = 'NamespaceTerminating';

/** The text with every value of the objects' content replaced. */
export function redactText(text: string, ...objects: readonly UnknownObject[]): string {
  const values = objects.flatMap((object) => [...textsIn(contentOf(object))]);
  const secrets = values.flatMap((value) => [value, decoded(value)]).filter((value) => value.length >= shortest);
  // The longest first, so that no part of one stays because a shorter one was found in it.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return ordered.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
}

/** Shorter values would blacken every text. */
const shortest = 3;

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

function decoded(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8');
}
