import { KlutchError } from '@klutch/api';
import type { PolicyOptions } from '../process/options.ts';
import type { Caller } from './caller.ts';
import { textOf, type VerifiedClaims } from './person.ts';

/** Why a token does not let a machine in. */
interface Refusal {
  readonly code: 'KLUTCH_TOKEN_INVALID' | 'KLUTCH_NOT_ENTITLED';
  readonly message: string;
}

type Rule = (claims: VerifiedClaims, machines: PolicyOptions['machines']) => Refusal | undefined;

/** In reading order; the first that refuses decides. */
const rules: readonly Rule[] = [isAccessToken, isForThisBackend, namesOneClient, clientIsListed, hasScope];

/**
 * The machine that presents an access token with these verified claims. Throws `KLUTCH_TOKEN_INVALID` for a token of
 * another kind, and `KLUTCH_NOT_ENTITLED` when the client may not bind.
 */
export function machineOf(claims: VerifiedClaims, machines: PolicyOptions['machines']): Caller {
  for (const rule of rules) {
    const refusal = rule(claims, machines);
    if (refusal !== undefined) throw new KlutchError(refusal.code, refusal.message);
  }
  const clientId = clientIn(claims);
  return {
    kind: 'machine',
    issuer: claims.iss,
    subject: textOf(claims['sub']) ?? clientId,
    clientId,
    groups: [],
    displayName: clientId,
  };
}

/** An ID token is meant for the client that asked for it, who may be anybody; it must not open doors elsewhere. */
function isAccessToken(claims: VerifiedClaims): Refusal | undefined {
  const use = claims['token_use'];
  const isOtherUse = use !== undefined && use !== 'access';
  // Keycloak writes the kind of its tokens into `typ`; the others occur in ID tokens alone.
  const isOtherType = claims['typ'] !== undefined && claims['typ'] !== 'Bearer';
  const isIdToken = ['nonce', 'at_hash', 'c_hash', 's_hash'].some((name) => claims[name] !== undefined);
  if (!isOtherUse && !isOtherType && !isIdToken) return undefined;
  return invalid('The token is not an access token. Present the access token of the client-credentials grant.');
}

/** A token that the same issuer made for another service must not be good here: that service could use it, too. */
function isForThisBackend(
  { aud }: VerifiedClaims,
  { audiences, allowNoAudience = false }: PolicyOptions['machines'],
): Refusal | undefined {
  const named: readonly unknown[] = aud === undefined ? [] : [aud].flat();
  if (named.length === 0) {
    return allowNoAudience ? undefined : invalid('The token names no audience. Request a token for this backend.');
  }
  if (named.some((audience) => typeof audience === 'string' && audiences.includes(audience))) return undefined;
  return invalid('The token was issued for another audience. Request a token for this backend.');
}

function namesOneClient(claims: VerifiedClaims): Refusal | undefined {
  const { client_id: id, azp } = claims;
  if (id !== undefined && azp !== undefined && id !== azp) return invalid('The token names two different clients.');
  return clientIn(claims) === '' ? invalid('The token does not say which client it was issued to.') : undefined;
}

function clientIsListed(claims: VerifiedClaims, { clients }: PolicyOptions['machines']): Refusal | undefined {
  if (clients.has(clientIn(claims))) return undefined;
  return notEntitled('This client may not bind. Ask the operator to add it to the machine clients of the backend.');
}

function hasScope(claims: VerifiedClaims, { scope }: PolicyOptions['machines']): Refusal | undefined {
  if (scopesIn(claims).includes(scope)) return undefined;
  return notEntitled(`The token lacks the scope ${scope}. Request a token with that scope.`);
}

function clientIn(claims: VerifiedClaims): string {
  return textOf(claims['client_id']) ?? textOf(claims['azp']) ?? '';
}

function scopesIn(claims: VerifiedClaims): readonly unknown[] {
  const scopes = claims['scope'] ?? claims['scp'];
  if (Array.isArray(scopes)) return scopes;
  return textOf(scopes)?.split(' ') ?? [];
}

function invalid(message: string): Refusal {
  return { code: 'KLUTCH_TOKEN_INVALID', message };
}

function notEntitled(message: string): Refusal {
  return { code: 'KLUTCH_NOT_ENTITLED', message };
}
