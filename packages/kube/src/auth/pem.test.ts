import { describe, expect, it } from 'vitest';
import { pemProblem } from './pem.ts';
import { first, protectedKeys, second } from './test-certificates.ts';

describe('pemProblem', () => {
  it.each([
    ['a certificate', first.certificate, 'certificate'],
    ['a chain', first.certificate + second.certificate, 'certificate'],
    ['text around a certificate', `Subject: first\n${first.certificate}\nend`, 'certificate'],
    ['Windows line ends', first.certificate.replaceAll('\n', '\r\n'), 'certificate'],
    ['a key and its certificate', first.key + first.certificate, 'certificate'],
    ['a key', first.key, 'key'],
    [
      'a key after EC parameters',
      `-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n${first.key}`,
      'key',
    ],
    ['an older kind of key', first.key.replaceAll('PRIVATE KEY', 'EC PRIVATE KEY'), 'key'],
  ] as const)('has nothing against %s', (_, text, content) => {
    expect(pemProblem(text, content)).toBeUndefined();
  });

  it.each([
    ['nothing', '', 'certificate', /does not hold a certificate in PEM form/],
    ['other text', 'hello', 'key', /does not hold a private key in PEM form \(-----BEGIN PRIVATE KEY----- …\)$/],
    ['a cut certificate', first.certificate.slice(0, 300), 'certificate', /probably cut off/],
    ['ends that differ', first.certificate.replace('END CERTIFICATE', 'END PRIVATE KEY'), 'certificate', /cut off/],
    ['base64 of PEM', Buffer.from(first.certificate).toString('base64'), 'certificate', /encoded once too often/],
    ['a key for a certificate', first.key, 'certificate', /not a certificate: it is "PRIVATE KEY"/],
    ['a public key', first.key.replaceAll('PRIVATE', 'PUBLIC'), 'key', /not a private key: it is "PUBLIC KEY"/],
    ['a protected key', protectedKeys.pkcs8, 'key', /passphrase/],
    ['a protected key of the older kind', protectedKeys.traditional, 'key', /passphrase/],
  ] as const)('explains what is wrong with %s', (_, text, content, problem) => {
    expect(pemProblem(text, content)).toMatch(problem);
  });

  it('never repeats what is between the marks', () => {
    const body = first.key.split('\n')[1] ?? '';

    expect(pemProblem(first.key, 'certificate')).not.toContain(body);
    expect(pemProblem(first.key.slice(0, 150), 'key')).not.toContain(body);
  });

  it('stays quick with a million beginnings and no end', () => {
    expect(pemProblem('-----BEGIN CERTIFICATE-----\n'.repeat(200_000), 'certificate')).toMatch(/cut off/);
  });
});
