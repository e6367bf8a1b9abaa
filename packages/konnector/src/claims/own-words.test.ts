import { KubeError } from '@klutch/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOwnWords } from './own-words.ts';

const object = 'secrets "db" in namespace "team-a"';

/** An error as a server or webhook gives it that says `text` wherever it can. */
function saying(text: string): KubeError {
  const cause = { reason: text, message: text, field: text };
  return new KubeError('KUBE_INVALID', `Cannot create ${object}: ${text}`, {
    status: 422,
    reason: text,
    verb: 'create',
    object,
    body: { kind: 'Status', apiVersion: 'v1', message: text, reason: text, details: { name: text, causes: [cause] } },
    cause: new Error(text),
  });
}

/** Everything an error holds; its stack begins with its message. */
function allOf(error: unknown): object {
  const { stack = '', ...rest } = Object.fromEntries(
    Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error as object, name) as unknown]),
  );
  return { ...rest, stack: String(stack).split('\n    at ')[0] };
}

const line = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHJKMNPQRSTUVWXYZ0123456789+/'),
  minLength: 64,
  maxLength: 64,
});
const pem = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .map((lines) => `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----\n`);
const password = fc.string({ minLength: 12, maxLength: 40 });

/** How servers, webhooks and proxies quote. */
const quoted: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify(secret),
  (secret) => JSON.stringify(JSON.stringify(secret)),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => encodeURIComponent(secret),
  (secret) => `${secret.slice(0, Math.ceil(secret.length / 2))}...`,
  (secret) => secret.slice(Math.floor(secret.length / 3)),
];

describe('an error about a claimed object', () => {
  it('holds nothing of what the server said, however it quotes a secret', () => {
    fc.assert(
      fc.property(fc.oneof(pem, password), fc.constantFrom(...quoted), (secret, quote) => {
        expect(allOf(inOwnWords(saying(quote(secret))))).toEqual(allOf(inOwnWords(saying('-'))));
      }),
    );
  });

  it('keeps what tells errors apart, and says what happened to what', () => {
    const error = new KubeError('KUBE_FORBIDDEN', 'hunter2', {
      status: 403,
      reason: 'Forbidden',
      verb: 'patch',
      object,
    });
    expect(inOwnWords(error)).toMatchObject({
      code: 'KUBE_FORBIDDEN',
      status: 403,
      reason: 'Forbidden',
      message: `Cannot patch ${object}: the server refuses with status 403 Forbidden. Its answer may quote the content and is not shown. Ask an administrator of the cluster for this permission.`,
    });
  });

  it('tells that a namespace is ending', () => {
    const body = {
      kind: 'Status',
      apiVersion: 'v1',
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    } as const;
    const error = new KubeError('KUBE_FORBIDDEN', 'no', { status: 403, reason: 'Forbidden', body });
    expect(inOwnWords(error)).toMatchObject({ reason: 'NamespaceTerminating' });
  });

  it('keeps the words about a server that did not answer, without their cause', () => {
    const error = new KubeError('KUBE_TIMEOUT', 'It did not answer.', { cause: new Error('hunter2') });
    expect(inOwnWords(error)).toMatchObject({ code: 'KUBE_TIMEOUT', message: 'It did not answer.' });
    expect((inOwnWords(error) as Error).cause).toBeUndefined();
  });

  it('passes other errors through', () => {
    const error = new TypeError('x');
    expect(inOwnWords(error)).toBe(error);
  });
});
