import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CredentialSource } from '../auth/credentials.ts';
import { KubeError } from '../errors/kube-error.ts';
import { authenticate } from './authenticate.ts';
import { get } from './loopback.fixture.ts';
import type { KubeRequest } from './types.ts';

/** A server that accepts one token, and a source that gets the next one whenever it is told that the last was refused. */
function world(accepted: string) {
  let issued = 1;
  const seen: unknown[] = [];
  const source: CredentialSource = {
    current: async () => ({ authorization: `token-${issued}` }),
    invalidate: () => {
      issued += 1;
    },
  };
  const send = authenticate(
    source,
    undefined,
  )(async (request: KubeRequest) => {
    seen.push(request.headers?.['authorization']);
    await new Promise(setImmediate);
    if (request.headers?.['authorization'] === accepted) return { status: 200, headers: {}, body: new PassThrough() };
    throw new KubeError('KUBE_UNAUTHORIZED', 'no', { status: 401 });
  });
  return { send, seen };
}

describe('authenticate', () => {
  it('renews credentials once for all requests that were refused with the old ones', async () => {
    const { send, seen } = world('token-2');
    await Promise.all([1, 2, 3].map(() => send(get)));
    expect(seen).toEqual(['token-1', 'token-1', 'token-1', 'token-2', 'token-2', 'token-2']);
  });

  it('does not go on for ever when every token is refused', async () => {
    const { send, seen } = world('none');
    await expect(send(get)).rejects.toMatchObject({ code: 'KUBE_UNAUTHORIZED' });
    expect(seen).toEqual(['token-1', 'token-2']);
  });

  it('fails in the words of this package when a source of credentials throws something of its own', async () => {
    const source: CredentialSource = {
      current: () => Promise.reject(new Error('the vault is sealed')),
      invalidate: () => {},
    };
    const send = authenticate(source, undefined)(() => Promise.reject(new Error('not reached')));
    await expect(send(get)).rejects.toMatchObject({
      code: 'KUBE_CREDENTIALS_FAILED',
      object: 'version',
      cause: expect.objectContaining({ message: 'the vault is sealed' }),
    });
  });
});
