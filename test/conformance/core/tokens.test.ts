import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { masked } from '../mask.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, notFound, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-tokens';
const accounts = inNamespace('v1/serviceaccounts', namespace);
const secrets = inNamespace('v1/secrets', namespace);
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const unauthorized = refusal(401, 'Unauthorized', 'Unauthorized');

interface TokenAnswer {
  readonly token: string;
  readonly expirationTimestamp: string;
}
const requestToken = (admin: Client, account: string, spec: object = {}) =>
  admin.post(`${accounts(account)}/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
const tokenOf = async (admin: Client, account: string, spec: object = {}) =>
  ((await requestToken(admin, account, spec)).body.status as unknown as TokenAnswer).token;
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const userOf = async (client: Client) => ((await client.post(whoami, {})).body.status as { userInfo: object }).userInfo;

conformance('service accounts and tokens', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('a token is made on demand', async ({ admin }) => {
    const { metadata } = await admin.create(accounts(), { metadata: { name: 'asked' } });
    const { status, body } = await requestToken(admin, 'asked', { expirationSeconds: 3600 });
    const { token, ...rest } = body.status as unknown as TokenAnswer;
    const claims = claimsOf(token);

    expect(status).toBe(201);
    expect(body.spec).toEqual({
      audiences: ['https://kubernetes.default.svc.cluster.local'],
      expirationSeconds: 3600,
      boundObjectRef: null,
    });
    expect(masked({ ...body, status: undefined, spec: undefined })).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'asked', namespace, uid: '<uid>', creationTimestamp: '<time>' },
      spec: undefined,
      status: undefined,
    });
    expect(Object.keys(rest)).toEqual(['expirationTimestamp']);
    expect({ ...claims, iat: 0, nbf: 0, exp: 0, jti: '' }).toEqual({
      aud: ['https://kubernetes.default.svc.cluster.local'],
      iss: 'https://kubernetes.default.svc.cluster.local',
      sub: `system:serviceaccount:${namespace}:asked`,
      iat: 0,
      nbf: 0,
      exp: 0,
      jti: '',
      'kubernetes.io': { namespace, serviceaccount: { name: 'asked', uid: metadata.uid } },
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
  });

  check('a token lets its bearer in as the account', async ({ admin, withToken }) => {
    const { metadata } = await admin.create(accounts(), { metadata: { name: 'bearer' } });
    const token = await tokenOf(admin, 'bearer');
    const user = await userOf(withToken(token));

    expect(user).toEqual({
      username: `system:serviceaccount:${namespace}:bearer`,
      uid: metadata.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${String(claimsOf(token).jti)}`] },
    });
  });

  check('a token lives an hour unless told otherwise, and at least ten minutes', async ({ admin }) => {
    await admin.create(accounts(), { metadata: { name: 'lifetime' } });
    const { exp, iat } = claimsOf(await tokenOf(admin, 'lifetime'));

    expect(Number(exp) - Number(iat)).toBe(3600);
    expectRefusal(
      await requestToken(admin, 'lifetime', { expirationSeconds: 60 }),
      invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [
        [
          'spec.expirationSeconds',
          'FieldValueInvalid',
          'Invalid value: 60: may not specify a duration less than 10 minutes',
        ],
      ]),
    );
  });

  check('a token for another audience does not open this door', async ({ admin, withToken }) => {
    await admin.create(accounts(), { metadata: { name: 'abroad' } });
    const token = await tokenOf(admin, 'abroad', { audiences: ['https://elsewhere'] });

    expect(claimsOf(token).aud).toEqual(['https://elsewhere']);
    expectRefusal(await withToken(token).get('/api'), unauthorized);
  });

  // A server may remember for some seconds that a token was good: what dies here was never used before.
  check('a token dies with its account, and does not come back with a new one', async ({ admin, withToken }) => {
    await admin.create(accounts(), { metadata: { name: 'mortal' } });
    const used = withToken(await tokenOf(admin, 'mortal'));
    const [first, second] = [await tokenOf(admin, 'mortal'), await tokenOf(admin, 'mortal')];
    expect((await used.get('/version')).status).toBe(200);
    await admin.delete(accounts('mortal'));

    await eventually(async () => (await withToken(first).get('/version')).status === 401, {
      what: 'the token is dead',
    });
    await admin.create(accounts(), { metadata: { name: 'mortal' } });
    expectRefusal(await withToken(second).get('/version'), unauthorized);
  });

  check('a token bound to a secret dies with the secret', async ({ admin, withToken }) => {
    await admin.create(accounts(), { metadata: { name: 'bound' } });
    const { metadata } = await admin.create(secrets(), { metadata: { name: 'anchor' } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'anchor', uid: metadata.uid };
    const used = await tokenOf(admin, 'bound', { boundObjectRef });
    const unused = await tokenOf(admin, 'bound', { boundObjectRef });
    expect((await withToken(used).get('/version')).status).toBe(200);
    expect(claimsOf(used)['kubernetes.io']).toMatchObject({ secret: { name: 'anchor', uid: metadata.uid } });
    await admin.delete(secrets('anchor'));

    await eventually(async () => (await withToken(unused).get('/version')).status === 401, {
      what: 'the token is dead',
    });
  });

  check('a token cannot be bound to what is not there', async ({ admin }) => {
    await admin.create(accounts(), { metadata: { name: 'unbound' } });

    expectRefusal(
      await requestToken(admin, 'unbound', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'absent' } }),
      notFound('secrets', 'absent'),
    );
    expectRefusal(
      await requestToken(admin, 'unbound', { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'absent' } }),
      badRequest('cannot bind token to object of type /v1, Kind=ConfigMap'),
    );
  });

  check('no token for an account that is not there', async ({ admin }) => {
    expectRefusal(await requestToken(admin, 'absent'), notFound('serviceaccounts', 'absent'));
  });

  check('a token that was tampered with is refused', async ({ admin, withToken }) => {
    await admin.create(accounts(), { metadata: { name: 'tampered' } });
    const [header = '', , signature = ''] = (await tokenOf(admin, 'tampered')).split('.');
    const forged = Buffer.from(
      JSON.stringify({
        sub: 'system:serviceaccount:kube-system:default',
        iss: 'https://kubernetes.default.svc.cluster.local',
        aud: ['https://kubernetes.default.svc.cluster.local'],
        exp: 9_999_999_999,
      }),
    ).toString('base64url');

    expectRefusal(await withToken(`${header}.${forged}.${signature}`).get('/version'), unauthorized);
    expectRefusal(await withToken('nonsense').get('/version'), unauthorized);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expectRefusal(await withToken(`${none}.${forged}.`).get('/version'), unauthorized);
  });

  check(
    'a secret of the token type is filled in and works',
    async ({ admin, withToken, caCertificate }) => {
      const { metadata } = await admin.create(accounts(), { metadata: { name: 'old-style' } });
      const annotations = { 'kubernetes.io/service-account.name': 'old-style' };
      await admin.create(secrets(), {
        metadata: { name: 'old-token', annotations },
        type: 'kubernetes.io/service-account-token',
      });
      const filled = await eventually(
        async () => {
          const { body } = await admin.get(secrets('old-token'));
          return body.data?.token !== undefined && body;
        },
        { what: 'the secret is filled in' },
      );
      const decoded = Object.fromEntries(
        Object.entries(filled.data).map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()]),
      );
      const claims = claimsOf(decoded.token ?? '');

      expect(filled.metadata.annotations).toEqual({
        ...annotations,
        'kubernetes.io/service-account.uid': metadata.uid,
      });
      expect([Object.keys(decoded).toSorted(), decoded.namespace]).toEqual([
        ['ca.crt', 'namespace', 'token'],
        namespace,
      ]);
      expect(decoded['ca.crt']?.trim()).toBe(caCertificate.trim());
      expect(claims).toEqual({
        iss: 'kubernetes/serviceaccount',
        'kubernetes.io/serviceaccount/namespace': namespace,
        'kubernetes.io/serviceaccount/secret.name': 'old-token',
        'kubernetes.io/serviceaccount/service-account.name': 'old-style',
        'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
        sub: `system:serviceaccount:${namespace}:old-style`,
      });
      expect(await userOf(withToken(decoded.token ?? ''))).toMatchObject({
        username: `system:serviceaccount:${namespace}:old-style`,
        uid: metadata.uid,
      });
    },
    { concurrent: true },
  );

  check('a token of a secret dies with the secret', async ({ admin, withToken }) => {
    await admin.create(accounts(), { metadata: { name: 'short-lived' } });
    const annotations = { 'kubernetes.io/service-account.name': 'short-lived' };
    await admin.create(secrets(), {
      metadata: { name: 'short', annotations },
      type: 'kubernetes.io/service-account-token',
    });
    const token = await eventually(async () => (await admin.get(secrets('short'))).body.data?.token, {
      what: 'the secret is filled in',
    });
    await admin.delete(secrets('short'));

    await eventually(
      async () => (await withToken(Buffer.from(String(token), 'base64').toString()).get('/version')).status === 401,
      { what: 'the token is dead' },
    );
  });

  check(
    'a secret of the token type goes with its account',
    async ({ admin }) => {
      await admin.create(accounts(), { metadata: { name: 'leaving' } });
      const annotations = { 'kubernetes.io/service-account.name': 'leaving' };
      await admin.create(secrets(), {
        metadata: { name: 'leaving-token', annotations },
        type: 'kubernetes.io/service-account-token',
      });
      await eventually(async () => (await admin.get(secrets('leaving-token'))).body.data?.token !== undefined, {
        what: 'the secret is filled in',
      });
      await admin.delete(accounts('leaving'));

      await eventually(async () => (await admin.get(secrets('leaving-token'))).status === 404, {
        what: 'the secret is gone',
      });
    },
    { concurrent: true },
  );

  check('a token review tells who bears a token', async ({ admin }) => {
    const { metadata } = await admin.create(accounts(), { metadata: { name: 'reviewed' } });
    const token = await tokenOf(admin, 'reviewed');
    const review = (spec: object) => admin.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec });

    const good = await review({ token });
    const bad = await review({ token: 'nonsense' });
    const elsewhere = await review({ token, audiences: ['https://elsewhere'] });

    expect([good.status, good.body.status]).toEqual([
      201,
      {
        authenticated: true,
        user: {
          username: `system:serviceaccount:${namespace}:reviewed`,
          uid: metadata.uid,
          groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
          extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${String(claimsOf(token).jti)}`] },
        },
        audiences: ['https://kubernetes.default.svc.cluster.local'],
      },
    ]);
    expect([bad.status, bad.body.status]).toEqual([201, { user: {}, error: 'invalid bearer token' }]);
    expect([elsewhere.status, elsewhere.body.status]).toEqual([
      201,
      {
        user: {},
        error:
          '[invalid bearer token, token audiences ["https://kubernetes.default.svc.cluster.local"] is invalid for the target audiences ["https://elsewhere"]]',
      },
    ]);
    expectRefusal(await review({}), badRequest('token is required for TokenReview in authentication'));
  });
});
