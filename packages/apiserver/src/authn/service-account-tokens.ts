import type { ApiObject } from '../objects/api-object.ts';
import { quotedList } from '../authz/quoted-list.ts';
import { judgeBoundToken } from './bound-token.ts';
import { isLastUsedStale, judgeLegacyToken, type LegacyVerdict } from './legacy-token.ts';
import type { VerificationKey } from './service-account-key.ts';
import { LEGACY_ISSUER, type TokenClaims } from './token-claims.ts';
import type { TokenObjects } from './token-objects.ts';
import { createSignatureVerifier } from './token-signature.ts';
import type { User } from './user.ts';

/** What tokens of service accounts are accepted. */
export interface ServiceAccountTokenOptions {
  /** Issuer of the tokens this server gives out. */
  readonly issuer: string;
  /** Names under which this server is meant by a token; tokens without an audience mean it, too. */
  readonly audiences: readonly string[];
  readonly keys: readonly VerificationKey[];
  readonly objects: TokenObjects;
  /** Told when a token from a Secret was used on a day the Secret's label does not say yet. */
  readonly onLegacyTokenUsed?: (secret: ApiObject) => void;
}

/** A token that was accepted, and for which of the wanted audiences; or why it was not. */
export type TokenOutcome =
  | { readonly user: User; readonly audiences: readonly string[]; readonly warning?: string }
  | { readonly problem: string };

/** Answers undefined to tokens that others have issued. */
export type TokenAuthenticator = (
  token: string,
  audiences: readonly string[],
  now: Date,
) => Promise<TokenOutcome | undefined>;

/** Accepts tokens of service accounts for as long as what they speak about exists. */
export function createServiceAccountTokens(options: ServiceAccountTokenOptions): TokenAuthenticator {
  const { issuer, audiences: ownAudiences, objects, onLegacyTokenUsed } = options;
  const verifySignature = createSignatureVerifier([issuer, LEGACY_ISSUER], options.keys);

  const judge = (token: string, claims: TokenClaims, now: Date): LegacyVerdict => {
    if (claims.iss !== LEGACY_ISSUER) return judgeBoundToken(claims, objects, now);
    const verdict = judgeLegacyToken(token, claims, objects);
    if (verdict.secret !== undefined && isLastUsedStale(verdict.secret, now)) onLegacyTokenUsed?.(verdict.secret);
    return verdict;
  };

  return async (token, wantedAudiences, now) => {
    const signature = await verifySignature(token);
    if (signature === undefined || 'problem' in signature) return signature;
    const tokenAudiences = audiencesOf(signature.claims) ?? ownAudiences;
    const audiences = wantedAudiences.filter((audience) => tokenAudiences.includes(audience));
    if (audiences.length === 0) return { problem: audienceProblem(tokenAudiences, wantedAudiences) };
    const verdict = judge(token, signature.claims, now);
    return 'problem' in verdict
      ? { problem: verdict.problem }
      : { user: verdict.user, audiences, warning: verdict.warning };
  };
}

function audiencesOf({ aud }: TokenClaims): readonly string[] | undefined {
  const list = aud === undefined ? [] : typeof aud === 'string' ? [aud] : aud;
  return list.length === 0 ? undefined : list;
}

function audienceProblem(ofToken: readonly string[], wanted: readonly string[]): string {
  return `token audiences ${quotedList(ofToken)} is invalid for the target audiences ${quotedList(wanted)}`;
}
