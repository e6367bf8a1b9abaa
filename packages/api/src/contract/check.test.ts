import { describe, expect, it } from 'vitest';
import { checkedRequest, problemInAnswer } from './check.ts';
import * as endpoints from './endpoints.ts';
import { bindMachine, finishDeviceLogin, finishRotation, redeemCode } from './endpoints.ts';

const api = { group: 'example.org', resource: 'widgets' };
const good = { clusterID: 'my.cluster-1', apis: [api] };

describe('the body of a request', () => {
  it.each<[string, unknown]>([
    ['with everything', { ...good, clusterUID: '1b2-c', tenant: 'team-a', session: 'sid' }],
    ['with an API of the core group', { ...good, apis: [{ resource: 'secrets' }, { group: '', resource: 'pods' }] }],
    ['with fields of later versions', { ...good, later: { x: 1 } }],
  ])('%s is taken as it is', (_, body) => {
    expect(checkedRequest(bindMachine, body)).toEqual(body);
  });

  it('has no fields that are null', () => {
    expect(checkedRequest(bindMachine, { ...good, tenant: null, apis: [{ ...api, group: null }] })).toEqual({
      ...good,
      apis: [{ resource: 'widgets' }],
    });
  });

  it.each<[string, unknown, string]>([
    ['no object', 'hush', 'Field body: expected an object.'],
    ['nothing', undefined, 'Field body: expected an object.'],
    ['no cluster id', { apis: [api] }, 'Field clusterID: required.'],
    [
      'a cluster id that cannot be',
      { ...good, clusterID: 'hush hush' },
      'Field clusterID: expected 1 to 64 letters, digits, dots, dashes and underscores.',
    ],
    ['no list', { ...good, apis: 'hush' }, 'Field apis: expected a list.'],
    ['no API', { ...good, apis: [] }, 'Field apis: expected at least 1 entries.'],
    [
      'too many APIs',
      { ...good, apis: Array.from({ length: 101 }, () => api) },
      'Field apis: expected at most 100 entries.',
    ],
    ['an API without resource', { ...good, apis: [{ group: 'hush' }] }, 'Field apis[0].resource: required.'],
    [
      'an API that cannot be',
      { ...good, apis: [api, { resource: '../hush' }] },
      'Field apis[1].resource: expected the plural name of an API, such as widgets.',
    ],
    [
      'a group that cannot be',
      { ...good, apis: [{ ...api, group: `${'a.'.repeat(200)}hush` }] },
      'Field apis[0].group: expected the group of an API, such as example.org.',
    ],
    ['a tenant that is a number', { ...good, tenant: 7 }, 'Field tenant: expected text.'],
    [
      'a tenant that is endless',
      { ...good, tenant: 'x'.repeat(9_000) },
      'Field tenant: expected at most 8192 characters.',
    ],
  ])('with %s is refused with the name of the field, and without its value', (_, body, message) => {
    expect(() => checkedRequest(bindMachine, body)).toThrow(
      expect.objectContaining({ code: 'KLUTCH_REQUEST_INVALID', message }) as Error,
    );
  });

  it('must hold text where text is asked for, and not none', () => {
    expect(() => checkedRequest(redeemCode, { code: '', verifier: 'v' })).toThrow(/Field code: expected at least 1/);
  });
});

describe('an answer', () => {
  it.each<[string, unknown, string | undefined]>([
    ['of RFC 8628 while the login goes on', { error: 'slow_down' }, undefined],
    ['with another error', { error: 'hush' }, 'error: expected authorization_pending or slow_down'],
    ['of another kind', { kind: 'hush' }, 'apiVersion: required'],
  ])('%s is checked', (_, body, problem) => {
    expect(problemInAnswer(finishDeviceLogin, body)).toBe(problem);
  });

  it('that nobody expects is told', () => {
    expect(problemInAnswer(finishRotation, undefined)).toBeUndefined();
    expect(problemInAnswer(finishRotation, {})).toBe('document: expected nothing');
  });
});

describe('the endpoints', () => {
  const all = Object.values(endpoints);

  it('have an address each', () => {
    const addresses = all.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(all.length);
    expect(addresses.every((address) => /^(GET|POST) [a-z/-]+$/.test(address))).toBe(true);
  });

  it('carry a body only where HTTP has one', () => {
    expect(all.filter(({ method, request }) => method === 'GET' && request !== undefined)).toEqual([]);
  });
});
