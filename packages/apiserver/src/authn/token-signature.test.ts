import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';

import { loadSigningKey, type SigningKey } from './service-account-key.ts';
import { createSignatureVerifier } from './token-signature.ts';

const pem = (type: 'ec' | 'rsa') => {
  const { privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
const [old, current, rsa] = [loadSigningKey(pem('ec')), loadSigningKey(pem('ec')), loadSigningKey(pem('rsa'))];
const sign = (key: SigningKey, claims: object = {}, header: object = { kid: key.id }) =>
  new SignJWT({ iss: 'me', ...claims }).setProtectedHeader({ alg: key.algorithm, ...header }).sign(key.privateKey);

describe('signatures', () => {
  const verify = createSignatureVerifier(['me'], [old, current, rsa]);

  it.each([
    ['a key of the past', old],
    ['the present key', current],
    ['an RSA key', rsa],
  ])('of %s are good', async (_, key) => {
    expect(await verify(await sign(key, { sub: 'x' }))).toEqual({ claims: { iss: 'me', sub: 'x' } });
  });

  it('are found without a key id', async () => {
    expect(await verify(await sign(current, {}, {}))).toEqual({ claims: { iss: 'me' } });
  });

  it('of one key do not pass for those of another', async () => {
    const problem = 'go-jose/go-jose: error in cryptographic primitive';
    expect(await verify(await sign(old, {}, { kid: current.id }))).toEqual({ problem });
    expect(await verify(await sign(loadSigningKey(pem('ec')), {}, {}))).toEqual({ problem });
  });

  it('do not survive a change of what was signed', async () => {
    const [header, , signature] = (await sign(current)).split('.');
    const payload = Buffer.from(JSON.stringify({ iss: 'me', sub: 'somebody else' })).toString('base64url');
    expect(await verify(`${header}.${payload}.${signature}`)).toHaveProperty('problem');
  });

  it('are verified once', async () => {
    const keys = [current];
    const verifyOnce = createSignatureVerifier(['me'], keys);
    const [known, unknown] = [await sign(current), await sign(current, { sub: 'x' })];
    await verifyOnce(known);
    keys.pop();
    expect(await verifyOnce(known)).toHaveProperty('claims');
    expect(await verifyOnce(unknown)).toHaveProperty('problem');
  });

  it('are looked at again for a token that only starts like a known one', async () => {
    const token = await sign(current);
    expect(await verify(token)).toHaveProperty('claims');
    expect(await verify(`${token.slice(0, -4)}AAAA`)).toHaveProperty('problem');
  });
});

describe('what is no token of the expected issuers', () => {
  const verify = createSignatureVerifier(['me'], [current]);
  const encode = (text: string) => Buffer.from(text).toString('base64url');

  it.each([
    ['', 'nothing'],
    ['abc', 'one word'],
    ['a.b', 'two parts'],
    ['a.b.c.d', 'four parts'],
    ['{"payload":"x"}', 'a token in another serialisation'],
    [`${encode('{}')}.${encode('"text"')}.x`, 'a payload that is no object'],
    [`${encode('{}')}.${encode('null')}.x`, 'a payload of null'],
    [`${encode('{}')}.${encode('{"iss":["me"]}')}.x`, 'an issuer that is no text'],
    [`nonsense.${encode('{"iss":"me"}')}.x`, 'a header that is no object'],
  ])('%j is left to others: %s', async (token) => {
    expect(await verify(token)).toBeUndefined();
  });

  it('is left to others whoever signed it', async () => {
    expect(await verify(await sign(current, { iss: 'you' }))).toBeUndefined();
  });
});
