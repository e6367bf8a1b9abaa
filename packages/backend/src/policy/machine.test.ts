import { describe, expect, it } from 'vitest';
import { machineOf } from './machine.ts';

const machines = { scope: 'klutch/bind', clients: new Map([['pipeline', 'team-a']]), audiences: ['klutch'] };
const good = {
  iss: 'https://issuer.example',
  sub: 'p',
  client_id: 'pipeline',
  aud: 'klutch',
  scope: 'openid klutch/bind',
};

describe('the machine an access token speaks of', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['Keycloak', { client_id: undefined, azp: 'pipeline', typ: 'Bearer', aud: ['account', 'klutch'] }],
    ['issuers that follow RFC 9068', { aud: 'klutch', azp: 'pipeline' }],
    ['issuers that write scopes as a list', { scope: undefined, scp: ['klutch/bind'] }],
  ])('is known from a token of %s', (_, claims) => {
    expect(machineOf({ ...good, ...claims }, machines)).toEqual({
      kind: 'machine',
      issuer: 'https://issuer.example',
      subject: 'p',
      clientId: 'pipeline',
      groups: [],
      displayName: 'pipeline',
    });
  });

  it('is known from a token of Cognito, which has no audience, if the operator allows that', () => {
    const claims = { ...good, aud: undefined, token_use: 'access' };

    expect(machineOf(claims, { ...machines, audiences: [], allowNoAudience: true })).toMatchObject({
      clientId: 'pipeline',
    });
  });

  it.each<[string, unknown, boolean]>([
    ['another audience', 'other', false],
    ['another audience where none is allowed', 'other', true],
    ['other audiences', ['account', 'other'], false],
    ['an audience that is not text', [{ klutch: true }], true],
    ['no audience', undefined, false],
    ['an empty list of audiences', [], false],
  ])('BE-55 is refused when the token has %s', (_, aud, allowNoAudience) => {
    expect(() => machineOf({ ...good, aud }, { ...machines, allowNoAudience })).toThrow(
      expect.objectContaining({ code: 'KLUTCH_TOKEN_INVALID' }),
    );
  });

  it('has its client as subject when the token has none', () => {
    expect(machineOf({ ...good, sub: undefined }, machines).subject).toBe('pipeline');
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['BE-56 is an ID token of Cognito', { token_use: 'id' }, 'KLUTCH_TOKEN_INVALID'],
    ['BE-56 is an ID token of Keycloak', { typ: 'ID' }, 'KLUTCH_TOKEN_INVALID'],
    ['BE-56 has a nonce', { nonce: 'n' }, 'KLUTCH_TOKEN_INVALID'],
    ['BE-56 has the digest of an access token', { at_hash: 'h' }, 'KLUTCH_TOKEN_INVALID'],
    ['names two clients', { azp: 'other' }, 'KLUTCH_TOKEN_INVALID'],
    ['names no client', { client_id: undefined }, 'KLUTCH_TOKEN_INVALID'],
    ['names a client that is not text', { client_id: ['pipeline'] }, 'KLUTCH_TOKEN_INVALID'],
    ['BE-55 is of an unknown client', { client_id: 'other' }, 'KLUTCH_NOT_ENTITLED'],
    ['BE-55 has no scope', { scope: undefined }, 'KLUTCH_NOT_ENTITLED'],
    ['BE-55 has another scope', { scope: 'klutch/bind2 xklutch/bind' }, 'KLUTCH_NOT_ENTITLED'],
  ])('is refused when the token %s', (_, claims, code) => {
    expect(() => machineOf({ ...good, ...claims }, machines)).toThrow(expect.objectContaining({ code }));
  });

  it('BE-55 names the scope that is missing', () => {
    expect(() => machineOf({ ...good, scope: '' }, machines)).toThrow('klutch/bind');
  });
});
