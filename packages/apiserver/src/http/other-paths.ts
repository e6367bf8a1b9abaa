import type { IncomingMessage } from 'node:http';
import { jsonWebKeySet, openIdConfiguration, type VerificationKey } from '../authn/index.ts';
import { discoveryAnswer } from '../discovery/index.ts';
import { openApiAnswer } from '../openapi/index.ts';
import type { Registry } from '../registry/registry.ts';
import { methodNotAllowed } from '../status/status-error.ts';
import type { Answer } from './answer.ts';
import { healthAnswer } from './health.ts';

/** Answers paths that are no resources. Undefined: there is nothing there. */
export function otherPaths(
  registry: Registry,
  tokens: { readonly issuerUrl: string; readonly keys: readonly VerificationKey[] },
  canStore: () => boolean,
): (path: string, request: IncomingMessage, query: URLSearchParams) => Answer | undefined {
  return (path, request, query) => {
    const health = healthAnswer(path, query, canStore());
    if (health) return health;
    const answer =
      tokenAnswer(path, tokens) ??
      discoveryAnswer(path, request.headers, registry) ??
      openApiAnswer(path, request.headers, registry, query);
    if (answer && answer.code < 400 && request.method !== 'GET') throw methodNotAllowed();
    return answer;
  };
}

function tokenAnswer(
  path: string,
  { issuerUrl, keys }: { readonly issuerUrl: string; readonly keys: readonly VerificationKey[] },
): Answer | undefined {
  if (path === '/.well-known/openid-configuration') {
    return json(openIdConfiguration(issuerUrl, `${issuerUrl}/openid/v1/jwks`, keys));
  }
  if (path !== '/openid/v1/jwks') return undefined;
  return { ...json(jsonWebKeySet(keys)), headers: { 'content-type': 'application/jwk-set+json' } };
}

function json(value: object): Answer {
  return { code: 200, text: JSON.stringify(value) };
}
