/** What a token of a service account says about itself. Nobody has verified it. */
export interface TokenFacts {
  readonly namespace: string;
  readonly account: ObjectFact;
  /** The Secret with which the token ends; undefined for one that lives on its own. */
  readonly anchor?: ObjectFact;
  /** Seconds it was issued for; undefined for one that never expires. */
  readonly lifetimeSeconds?: number;
}

interface ObjectFact {
  readonly name: string;
  readonly uid: string;
}

/** Reads a bound token; undefined when it is none. For tokens that were issued here, or that the API server has reviewed. */
export function readToken(token: string): TokenFacts | undefined {
  const claims = claimsOf(token);
  const bound = asRecord(claims?.['kubernetes.io']);
  const account = objectFact(bound?.['serviceaccount']);
  const namespace = bound?.['namespace'];
  if (!account || typeof namespace !== 'string') return undefined;
  const { iat, exp } = claims ?? {};
  return {
    namespace,
    account,
    anchor: objectFact(bound?.['secret']),
    ...(typeof iat === 'number' && typeof exp === 'number' ? { lifetimeSeconds: exp - iat } : {}),
  };
}

function claimsOf(token: string): Record<string, unknown> | undefined {
  const [, payload, signature] = token.split('.');
  if (!payload || !signature) return undefined;
  try {
    return asRecord(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  } catch {
    // Not JSON, hence not a token of Kubernetes.
    return undefined;
  }
}

function objectFact(value: unknown): ObjectFact | undefined {
  const { name, uid } = asRecord(value) ?? {};
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
