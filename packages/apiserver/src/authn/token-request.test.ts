import { readFileSync } from 'node:fs';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';

import { readRecording } from '../authz/testing/recording.ts';
import type { ApiObject, Metadata } from '../objects/api-object.ts';
import { newPrivateKey } from '../pki/authority.ts';
import { StatusError } from '../status/status-error.ts';
import { loadSigningKey } from './service-account-key.ts';
import { ISSUER, recordedObjects } from './testing/recorded-objects.ts';
import { createTokenIssuer } from './token-issuer.ts';
import { answerTokenRequest, type TokenRequestContext } from './token-request.ts';

interface RecordedRequest {
  readonly note: string;
  readonly name: string;
  readonly metadata?: Metadata;
  readonly spec: object;
  readonly code: number;
  readonly answer: {
    readonly metadata: Metadata;
    readonly spec: object;
    readonly expirationTimestamp: string;
    readonly claims: { readonly iat: number; readonly jti: string };
  };
}

const key = loadSigningKey(newPrivateKey());
const recorded = readRecording<RecordedRequest>(new URL('./recorded/token-requests.jsonl', import.meta.url));
const { uids }: { uids: { account: string } } = JSON.parse(
  readFileSync(new URL('./recorded/token-objects.json', import.meta.url), 'utf8'),
);

const ask = (request: Partial<ApiObject>, change: Partial<TokenRequestContext> = {}, name = 'robot') =>
  answerTokenRequest(
    {
      namespace: 'a',
      name,
      request: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, ...request },
    },
    {
      issuer: createTokenIssuer(ISSUER, key),
      audiences: [ISSUER],
      objects: recordedObjects(),
      now: new Date(1_794_731_992_000),
      ...change,
    },
  );
const tokenOf = ({ object }: { object: ApiObject }) => (object.status as { token: string }).token;

describe('a TokenRequest is answered as by kube-apiserver', () => {
  it.each(recorded.map((request) => [request.note, request] as const))(
    '%s',
    async (_, { name, metadata, spec, code, answer }) => {
      const now = new Date((answer.claims?.iat ?? 0) * 1_000);
      const outcome = await ask({ metadata: metadata ?? {}, spec }, { now }, name).catch((error: unknown) => error);
      if (code >= 300) {
        const { message, reason, details } = outcome as StatusError;
        expect({ message, reason, ...(details ? { details } : {}), code: (outcome as StatusError).code }).toEqual(
          answer,
        );
        return;
      }
      const { object, warnings } = outcome as Awaited<ReturnType<typeof ask>>;
      expect(object).toEqual({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: answer.metadata,
        spec: answer.spec,
        status: { token: expect.any(String), expirationTimestamp: answer.expirationTimestamp },
      });
      expect(decodeJwt(tokenOf({ object }))).toEqual({
        ...answer.claims,
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(warnings).toEqual([]);
    },
  );
});

describe('a TokenRequest', () => {
  it('gets a token signed by the key it names', async () => {
    expect(decodeProtectedHeader(tokenOf(await ask({})))).toEqual({ alg: 'ES256', kid: key.id });
  });

  it('gets another token every time', async () => {
    expect(decodeJwt(tokenOf(await ask({}))).jti).not.toBe(decodeJwt(tokenOf(await ask({}))).jti);
  });

  it('gets a shorter life where lives are limited, and is told so', async () => {
    const answer = await ask({ spec: { expirationSeconds: 7_200 } }, { maxExpirationSeconds: 3_600 });
    const { exp = 0, iat = 0 } = decodeJwt(tokenOf(answer));
    expect(exp - iat).toBe(3_600);
    expect(answer.object.spec).toMatchObject({ expirationSeconds: 3_600 });
    expect(answer.warnings).toEqual(['requested expiration of 7200 seconds shortened to 3600 seconds']);
  });

  it('takes null for nothing', async () => {
    const { object } = await ask({ spec: { audiences: null, expirationSeconds: null, boundObjectRef: null } });
    expect(object.spec).toEqual({ audiences: [ISSUER], expirationSeconds: 3_600, boundObjectRef: null });
  });

  it('names the node of a pod even when nobody knows the node', async () => {
    const objects = { ...recordedObjects(), node: () => undefined };
    const { object } = await ask(
      { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p1' } } },
      { objects },
    );
    expect(decodeJwt(tokenOf({ object }))['kubernetes.io']).toMatchObject({ node: { name: 'n1' } });
  });

  it('may carry the uid of the account it means', async () => {
    const { object } = await ask({ metadata: { uid: uids.account } });
    expect(object.metadata.uid).toBe(uids.account);
  });
});
