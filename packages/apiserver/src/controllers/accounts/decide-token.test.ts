import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { decideToken, filledSecret } from './decide-token.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const account: ApiObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'one', uid: 'u1' },
};

const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

function secret(annotations: Record<string, string>, data?: Record<string, string>, more: object = {}): ApiObject {
  const metadata = { name: 'token', namespace: 'one', annotations };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/service-account-token', data, ...more };
}

const complete = { token: base64('t'), 'ca.crt': base64('CA'), namespace: base64('one') };

describe('what becomes of a token Secret', () => {
  it.each([
    ['is filled when it is new', secret({ [NAME]: 'robot' }), account, { do: 'fill', needsToken: true }],
    [
      'is left alone when it is complete',
      secret({ [NAME]: 'robot', [UID]: 'u1' }, complete),
      account,
      { do: 'nothing' },
    ],
    [
      'keeps its token when the certificate authority is another',
      secret({ [NAME]: 'robot', [UID]: 'u1' }, { ...complete, 'ca.crt': base64('old') }),
      account,
      { do: 'fill', needsToken: false },
    ],
    [
      'is filled when the namespace is missing',
      secret({ [NAME]: 'robot', [UID]: 'u1' }, { ...complete, namespace: '' }),
      account,
      { do: 'fill', needsToken: false },
    ],
    ['goes without its account', secret({ [NAME]: 'robot' }), undefined, { do: 'delete' }],
    [
      'goes when the account is another one of that name',
      secret({ [NAME]: 'robot', [UID]: 'u0' }),
      account,
      { do: 'delete' },
    ],
    ['is none without the name of an account', secret({}), undefined, { do: 'nothing' }],
    [
      'is none when it is of another type',
      secret({ [NAME]: 'robot' }, {}, { type: 'Opaque' }),
      undefined,
      { do: 'nothing' },
    ],
    [
      'is left to go when it is being deleted',
      secret({ [NAME]: 'robot' }, {}, { metadata: { annotations: { [NAME]: 'robot' }, deletionTimestamp: 'now' } }),
      account,
      { do: 'nothing' },
    ],
  ])('it %s', (_, object, found, step) => {
    expect(decideToken(object, found, 'CA')).toEqual(step);
  });

  it('has everything in it once it is filled', () => {
    const filled = filledSecret(secret({ [NAME]: 'robot', other: 'x' }, { mine: 'y' }), account, 'CA', 't');
    expect(filled['data']).toEqual({ ...complete, mine: 'y' });
    expect(filled.metadata.annotations).toEqual({ [NAME]: 'robot', [UID]: 'u1', other: 'x' });
    expect(decideToken(filled, account, 'CA')).toEqual({ do: 'nothing' });
  });

  it('keeps its token and namespace when only the certificate authority is filled in', () => {
    const before = secret({ [NAME]: 'robot' }, { token: 'as it is', namespace: 'as it is' });
    expect(filledSecret(before, account, 'CA', undefined)['data']).toEqual({
      token: 'as it is',
      namespace: 'as it is',
      'ca.crt': base64('CA'),
    });
  });
});
