import { X509Certificate } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';

import { readRecording } from '../authz/testing/recording.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { newPrivateKey } from '../pki/authority.ts';
import { openPki } from '../pki/index.ts';
import { StatusError } from '../status/status-error.ts';
import { createAuthenticator } from './authenticator.ts';
import { loadSigningKey, type SigningKey } from './service-account-key.ts';
import { ISSUER, RECORDED, recordedObjects } from './testing/recorded-objects.ts';
import type { TokenClaims } from './token-claims.ts';
import { createTokenIssuer } from './token-issuer.ts';
import type { TokenObjects } from './token-objects.ts';

interface RecordedReview {
  readonly note: string;
  readonly claims?: TokenClaims;
  readonly audiences?: readonly string[];
  readonly answer: {
    readonly authenticated?: boolean;
    readonly user: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: string[];
      readonly extra?: object;
    };
    readonly audiences?: readonly string[];
    readonly error?: string;
  };
}

const key = loadSigningKey(newPrivateKey());
const stranger = loadSigningKey(newPrivateKey());
const issuer = createTokenIssuer(ISSUER, key);
const robot = recordedObjects().serviceAccount('a', 'robot') as ApiObject;
const alice = { name: 'alice', uid: 'token-user-0', groups: ['devs'] };
const recordedNow = new Date(RECORDED.now * 1_000);
const pki = await openPki({ now: () => recordedNow });

const legacy = {
  legacy: await issuer.issueSecretToken(robot, 'legacy'),
  marked: await issuer.issueSecretToken(robot, 'marked'),
};
const sign = (
  claims: TokenClaims,
  header: { alg: string; kid?: string } = { alg: 'ES256', kid: key.id },
  by: SigningKey | Uint8Array = key,
) =>
  new SignJWT({ ...claims } as Record<string, unknown>)
    .setProtectedHeader(header)
    .sign(by instanceof Uint8Array ? by : by.privateKey);

const authenticator = (
  objects: TokenObjects = recordedObjects(legacy),
  onLegacyTokenUsed?: (secret: ApiObject) => void,
) =>
  createAuthenticator({
    certificateAuthority: pki.certificateAuthority,
    administratorAuthority: () => pki.administratorAuthority,
    tokens: new Map([['alice-token', alice]]),
    serviceAccounts: {
      issuer: ISSUER,
      audiences: [ISSUER],
      keys: [key],
      objects,
      onLegacyTokenUsed,
    },
    now: () => recordedNow,
  });

describe('tokens are judged as by kube-apiserver', () => {
  /** Tokens that differ from others in something else than their claims. */
  const special: Readonly<Record<string, (claims: TokenClaims) => string | Promise<string>>> = {
    'no kid': (claims) => sign(claims, { alg: 'ES256' }),
    'unknown kid': (claims) => sign(claims, { alg: 'ES256', kid: 'nope' }),
    'foreign key': (claims) => sign(claims, undefined, stranger),
    HS256: (claims) => sign(claims, { alg: 'HS256', kid: key.id }, new TextEncoder().encode('x'.repeat(32))),
    'alg none': () => new UnsecuredJWT({ iss: ISSUER }).encode(),
    garbage: () => 'garbage',
    dots: () => 'a.b.c',
    static: () => 'alice-token',
    'static, other audience': () => 'alice-token',
    legacy: () => legacy.legacy,
    'legacy, other audience': () => legacy.legacy,
    'legacy marked': () => legacy.marked,
  };
  const recorded = readRecording<RecordedReview>(new URL('./recorded/token-reviews.jsonl', import.meta.url));
  // Those two are about the review, not about the token.
  const about = recorded.filter(({ note }) => note !== 'empty' && note !== 'with space');

  it.each(about.map((review) => [review.note, review] as const))(
    '%s',
    async (note, { claims = {}, audiences, answer }) => {
      const token = await (special[note] ?? sign)(claims);
      const outcome = await authenticator().authenticateToken(token, audiences);
      if ('problem' in outcome) {
        expect({ user: {}, error: outcome.problem }).toEqual(answer);
        return;
      }
      const { name, uid, groups, extra } = outcome.user;
      const user = { username: name, uid, groups, ...(extra ? { extra } : {}) };
      expect({ authenticated: true, user, audiences: outcome.audiences }).toEqual(answer);
    },
  );
});

const bearer = (token: string) => ({ headers: { authorization: [`Bearer ${token}`] } });
const certificate = (by = pki) =>
  new X509Certificate(by.issueClientCertificate({ user: 'cert-user', groups: ['o1'] }).certificate);
const nameOf = async (credentials: Parameters<ReturnType<typeof authenticator>['authenticate']>[0]) =>
  (await authenticator().authenticate(credentials)).user.name;

describe('whoever sends a request', () => {
  it('is anonymous without credentials', async () => {
    expect(await authenticator().authenticate({ headers: {} })).toEqual({
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
      warnings: [],
    });
  });

  it('is known by a certificate', async () => {
    const { user } = await authenticator().authenticate({ headers: {}, peerCertificate: certificate() });
    expect(user).toMatchObject({ name: 'cert-user', groups: ['o1', 'system:authenticated'] });
  });

  it('is known by a static token', async () => {
    const { user } = await authenticator().authenticate(bearer('alice-token'));
    expect(user).toEqual({ ...alice, groups: ['devs', 'system:authenticated'] });
  });

  it('is known by a token of a service account', async () => {
    const token = await issuer.issueToken({
      serviceAccount: robot,
      audiences: [ISSUER],
      expirationSeconds: 600,
      now: recordedNow,
    });
    expect(await nameOf(bearer(token))).toBe('system:serviceaccount:a:robot');
  });

  it('is known by a certificate first, and by a token when the certificate is no good', async () => {
    const other = await openPki();
    expect(await nameOf({ ...bearer('alice-token'), peerCertificate: certificate() })).toBe('cert-user');
    expect(await nameOf({ ...bearer('nope'), peerCertificate: certificate() })).toBe('cert-user');
    expect(await nameOf({ ...bearer('alice-token'), peerCertificate: certificate(other) })).toBe('alice');
  });

  it('is anonymous with a certificate that names nobody', async () => {
    const nobody = new X509Certificate(
      pki.issueClientCertificate({ user: '', groups: ['system:masters'] }).certificate,
    );
    expect(await nameOf({ headers: {}, peerCertificate: nobody })).toBe('system:anonymous');
  });

  it('is anonymous when the header is about something else, and told about a likely mistake', async () => {
    expect(await nameOf({ headers: { authorization: ['Basic YTpi'] } })).toBe('system:anonymous');
    expect(await authenticator().authenticate({ headers: { authorization: ['Bearer  alice-token'] } })).toEqual({
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'] },
      warnings: ['the provided Authorization header contains extra space before the bearer token, and is ignored'],
    });
  });

  it.each([
    ['an unknown token', () => bearer('nope'), 'invalid bearer token'],
    [
      'a foreign certificate',
      async () => ({ headers: {}, peerCertificate: certificate(await openPki()) }),
      'not signed by the authority',
    ],
  ])('is refused with %s, and only the log hears why', async (_, credentials, why) => {
    const refusal = await authenticator()
      .authenticate(await credentials())
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StatusError);
    expect(refusal).toMatchObject({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    expect(String((refusal as Error).cause)).toContain(why);
    expect(String((refusal as Error).cause)).not.toContain('nope');
  });

  it('keeps groups that say something about authentication', async () => {
    const tokens = new Map([['t', { name: 'x', groups: ['system:unauthenticated'] }]]);
    const { user } = await createAuthenticator({ tokens }).authenticate(bearer('t'));
    expect(user.groups).toEqual(['system:unauthenticated']);
  });

  it('needs no more than static tokens', async () => {
    const tokens = new Map([['t', { name: 'x', groups: [] }]]);
    const simple = createAuthenticator({ tokens });
    expect((await simple.authenticate({ ...bearer('t'), peerCertificate: certificate() })).user.name).toBe('x');
    await expect(simple.authenticate(bearer('a.b.c'))).rejects.toThrow('Unauthorized');
    tokens.delete('t');
    await expect(simple.authenticate(bearer('t'))).rejects.toThrow('Unauthorized');
  });
});

describe('a token that was good', () => {
  const issue = (seconds = 600) =>
    issuer.issueToken({ serviceAccount: robot, audiences: [ISSUER], expirationSeconds: seconds, now: recordedNow });

  it('is no good any more as soon as its account is gone', async () => {
    let account: ApiObject | undefined = robot;
    const watching = authenticator({ ...recordedObjects(), serviceAccount: () => account });
    const token = await issue();
    expect((await watching.authenticate(bearer(token))).user.name).toBe('system:serviceaccount:a:robot');
    account = undefined;
    await expect(watching.authenticate(bearer(token))).rejects.toThrow('Unauthorized');
    account = { ...robot, metadata: { ...robot.metadata, uid: 'another' } };
    await expect(watching.authenticate(bearer(token))).rejects.toThrow('Unauthorized');
  });

  it('is no good any more once its time is over', async () => {
    let now = recordedNow;
    const objects = recordedObjects();
    const serviceAccounts = { issuer: ISSUER, audiences: [ISSUER], keys: [key], objects };
    const aging = createAuthenticator({ serviceAccounts, now: () => now });
    const token = await issue(600);
    now = new Date(recordedNow.getTime() + 659_000);
    expect((await aging.authenticate(bearer(token))).user.name).toBe('system:serviceaccount:a:robot');
    now = new Date(recordedNow.getTime() + 661_000);
    await expect(aging.authenticate(bearer(token))).rejects.toThrow('Unauthorized');
  });
});

describe('a token from a Secret', () => {
  const used = async (labels: Record<string, string>, account: object = {}) => {
    const secret = {
      ...(recordedObjects(legacy).secret('a', 'legacy') as ApiObject),
      metadata: { name: 'legacy', namespace: 'a', labels },
    };
    const noted: ApiObject[] = [];
    const objects = {
      ...recordedObjects(legacy),
      secret: () => secret,
      serviceAccount: () => ({ ...robot, ...account }),
    };
    const { warnings } = await authenticator(objects, (one) => noted.push(one)).authenticate(bearer(legacy.legacy));
    return { noted: noted.length, warnings };
  };

  it('is noted on the first use of a day', async () => {
    expect(await used({})).toEqual({ noted: 1, warnings: [] });
    expect(await used({ 'kubernetes.io/legacy-token-last-used': '2026-11-14' })).toMatchObject({ noted: 1 });
    expect(await used({ 'kubernetes.io/legacy-token-last-used': '2026-11-15' })).toMatchObject({ noted: 0 });
    expect(await used({ 'kubernetes.io/legacy-token-last-used': '2026-11-16' })).toMatchObject({ noted: 0 });
  });

  it('comes with a warning when the account lists it', async () => {
    expect((await used({}, { secrets: [{ name: 'legacy' }] })).warnings).toEqual([
      'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.',
    ]);
  });

  it('does not need a word from the account', async () => {
    expect((await used({}, { secrets: [{ name: 'other' }] })).warnings).toEqual([]);
  });
});
