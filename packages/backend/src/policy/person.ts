import { KlutchError } from '@klutch/api';
import type { Caller } from './caller.ts';

/** Claims of a token whose signature, issuer, audience and times are verified. */
export type VerifiedClaims = Readonly<Record<string, unknown>> & { readonly iss: string };

/**
 * The person an ID token speaks of. Throws `KLUTCH_TOKEN_INVALID` when it names nobody: whoever logs in without a
 * subject would share an identity with all others who do.
 */
export function personOf(
  claims: VerifiedClaims,
  client: { readonly id: string; readonly groupsClaim: string },
): Caller {
  const subject = textOf(claims['sub']);
  if (subject === undefined) {
    throw new KlutchError('KLUTCH_TOKEN_INVALID', 'The token of the identity provider names no subject.');
  }
  const email = claims['email_verified'] === true ? textOf(claims['email']) : undefined;
  const displayName =
    textOf(claims['name']) ?? textOf(claims['preferred_username']) ?? textOf(claims['email']) ?? subject;
  return {
    kind: 'person',
    issuer: claims.iss,
    subject,
    clientId: client.id,
    groups: groupsIn(claims, client.groupsClaim),
    displayName: [...displayName].slice(0, 100).join(''),
    ...(email !== undefined && { email }),
  };
}

/** Groups of a claim that holds a list or a single name; a dotted name reaches into objects unless a claim is called so. */
function groupsIn(claims: VerifiedClaims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(listed.map(textOf).filter((group) => group !== undefined))];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A claim as text; undefined when it is empty or something else. */
export function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : undefined;
}
