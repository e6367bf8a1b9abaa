import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLoginRequest } from './login-request.ts';

const parse = (more: Readonly<Record<string, string>> = {}) =>
  parseLoginRequest(new URLSearchParams({ p: '8000', s: 'sid', c: 'cid', ...more }));

describe('what a command asks for at /authorize', () => {
  it('is read as the Go CLI writes it', () => {
    expect(parse()).toEqual({ sid: 'sid', cid: 'cid', redirect: 'http://localhost:8000/callback', apis: [] });
  });

  it('may name the cluster more closely, APIs, and a challenge', () => {
    const query = new URLSearchParams({ p: '1', s: 's', c: 'c', f: 'uid-1', x: 'x'.repeat(43) });
    query.append('a', 'widgets.example.org');
    query.append('a', 'secrets');

    expect(parseLoginRequest(query)).toEqual({
      sid: 's',
      cid: 'c',
      uid: 'uid-1',
      redirect: 'http://localhost:1/callback',
      challenge: 'x'.repeat(43),
      apis: ['widgets.example.org', 'secrets'],
    });
  });

  it.each([
    ['http://localhost:8000/done?x=1', 'http://localhost:8000/done?x=1'],
    ['http://127.0.0.1:9/', 'http://127.0.0.1:9/'],
  ])('may name a target on the own machine: %s', (u, redirect) => {
    expect(parse({ u }).redirect).toBe(redirect);
  });

  it.each([
    'https://evil.example/',
    'http://[::1]:9/cb',
    'http://127.0.0.2:9/cb',
    'http://evil.example:80/',
    'http://localhost/',
    'http://localhost:80@evil.example/',
    'http://user@localhost:8000/',
    'http://localhost:0/',
    'https://localhost:8000/',
    'javascript:alert(1)',
    '//evil.example',
    'http://localhost:8000/#x',
    'not a url',
  ])('S-2 names no other target: %s', (u) => {
    expect(() => parse({ u })).toThrow(expect.objectContaining({ code: 'KLUTCH_LOGIN_REDIRECT_REFUSED' }));
  });

  it('names no more APIs than a cookie can hold', () => {
    const query = new URLSearchParams({ p: '1', s: 's', c: 'c' });
    for (let index = 0; index < 90; index += 1) query.append('a', `${'x'.repeat(40)}${index}.example.org`);

    expect(() => parseLoginRequest(query)).toThrow(expect.objectContaining({ code: 'KLUTCH_REQUEST_INVALID' }));
  });

  it('S-2 always leads to a port of the own machine, whatever is asked for', () => {
    const hostile = fc.string({ unit: fc.constantFrom('1', '@', ':', '/', '.', 'e', '#', '?', '\\', ' ', '%', '0') });
    fc.assert(
      fc.property(
        fc.constantFrom('p', 'u'),
        fc.oneof(
          hostile,
          hostile.map((text) => `http://localhost:${text}`),
        ),
        (name, text) => {
          let redirect: string;
          try {
            ({ redirect } = parse({ [name]: text }));
          } catch {
            return;
          }
          const { hostname, port, protocol } = new URL(redirect);
          expect([protocol, hostname]).toEqual(['http:', 'localhost']);
          expect(Number(port)).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
