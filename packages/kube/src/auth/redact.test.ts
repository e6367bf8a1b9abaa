import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, secretsAmong } from './redact.ts';
import { first } from './test-certificates.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl';

describe('redact', () => {
  it.each([
    ['token refused: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl', 'eyJ'],
    ['got ya29a0AfH6SMBx3kPqZ7wLmN9tRv', 'ya29a0'],
    ['Authorization: Bearer short', 'short'],
    ['authorization: basic amFuZTpwdw==', 'amFu'],
    ['password=hunter2 refused', 'hunter2'],
    ['{"access_token": "abc123", "x": 1}', 'abc123'],
    ['client_secret: s3cr3t', 's3cr3t'],
    ['cannot reach https://jane:pw@idp.example', 'jane:pw'],
    ['bootstrap abcdef.0123456789abcdef', '0123456789abcdef'],
    ['hex 0123456789abcdef0123456789abcdef', '0123456789abcdef'],
    [first.key, 'MIGH'],
    [first.key.slice(60), 'RANCAAS'],
  ])('hides what looks like a secret in %j', (text, secret) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain('[redacted]');
  });

  it.each([
    'Error: profile "production" not found in /home/jane/.config/login/credentials.json',
    'dial tcp 10.96.0.1:443: connect: connection refused',
    'Get "https://idp.example.com/.well-known/openid-configuration": x509: unknown authority',
    'line one\n\tline two',
  ])('leaves %j as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('hides known secrets of any form, the longer first', () => {
    expect(redact('say swordfish and swordfish-two', ['swordfish', 'swordfish-two'])).toBe(
      'say [redacted] and [redacted]',
    );
  });

  it('does not hide every "a" because a secret is that short', () => {
    expect(redact('a cat', ['a', ''])).toBe('a cat');
  });

  it('removes characters that control a terminal', () => {
    expect(redact('\u001b[31mred\u001b[0m\u0007 text\r\n')).toBe('[31mred[0m text\n');
  });

  it('never lets a known secret through, whatever is around it', () => {
    const secret = fc.stringMatching(/^[\x21-\x7e]{8,40}$/);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        expect(redact(`${before}${value}${after}`, [value])).not.toContain(value);
      }),
    );
  });

  it('never lets the parts of a JSON web token through', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9_-]{20,60}$/);
    fc.assert(
      fc.property(part, part, part, (head, body, signature) => {
        const shown = redact(`refused "eyJ${head}.${body}.${signature}" at 12:00`);
        expect(shown).toBe('refused "[redacted]" at 12:00');
      }),
    );
  });
});

describe('secretsAmong', () => {
  it('finds values whose variable says that they are secret', () => {
    const env = {
      AWS_SECRET_ACCESS_KEY: 'one',
      GITHUB_TOKEN: 'two',
      DB_PASSWORD: 'three',
      PATH: '/bin',
      EMPTY: undefined,
    };

    expect(secretsAmong(env, [])).toEqual(['one', 'two', 'three']);
  });

  it('finds values whose flag says that they are secret', () => {
    const args = [
      'get-token',
      '--client-secret=a=b',
      '--oidc-password',
      'c',
      '--cluster',
      'hub',
      'token',
      `--id-token`,
      jwt,
    ];

    expect(secretsAmong({}, args)).toEqual(['a=b', 'c', jwt]);
  });

  it('is not confused by a flag without a value', () => {
    expect(secretsAmong({}, ['--token'])).toEqual([]);
  });
});
