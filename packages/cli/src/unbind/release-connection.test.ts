import { KlutchError, type KlutchErrorCode } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../connections/find-connections.ts';
import { releaseConnection } from './release-connection.ts';

const connection: Connection = { secretName: 'kubeconfig-1', bindings: [] };

function backend(refusal?: KlutchErrorCode) {
  const asked: string[] = [];
  return {
    asked,
    unbind: async (apis: readonly string[]) => void asked.push(`unbind ${apis.join(' ')}`),
    release: async () => {
      asked.push('release');
      if (refusal !== undefined) throw new KlutchError(refusal, 'No.');
    },
  };
}

describe('releaseConnection', () => {
  it.each([
    [
      ['a.x', 'b.x'],
      ['unbind a.x b.x', 'release'],
    ],
    [[], ['release']],
  ])('returns the APIs, if any, and then the registration', async (apis, expected) => {
    const asked = backend();

    expect(await releaseConnection(connection, apis, asked)).toEqual({ is: 'released' });
    expect(asked.asked).toEqual(expected);
  });

  it.each([
    ['KLUTCH_TOKEN_INVALID', /no longer accepts the credential in Secret klutch-bind\/kubeconfig-1/],
    ['KLUTCH_BACKEND_TOO_OLD', /stays: No\. Ask the operator to remove its cluster namespace\.$/],
  ] as const)('leaves to others what %s refuses for good', async (code, warning) => {
    expect(await releaseConnection(connection, [], backend(code))).toEqual({
      is: 'left to others',
      warning: expect.stringMatching(warning),
    });
  });

  it.each(['KLUTCH_BINDING_IN_USE', 'KLUTCH_PROVIDER_UNREACHABLE', 'KLUTCH_BACKEND_UNAVAILABLE'] as const)(
    'fails with %s, since a later run may succeed',
    async (code) => {
      await expect(releaseConnection(connection, [], backend(code))).rejects.toMatchObject({ code });
    },
  );

  it('says that the operator has to remove what a Go backend registered', async () => {
    const config = { namespace: 'cluster-1' } as Connection['config'];

    expect(await releaseConnection({ ...connection, config }, [], undefined)).toEqual({
      is: 'left to others',
      warning:
        'The registration of this app cluster stays: the address of its backend is not known. Ask the operator to remove namespace cluster-1 of the control plane.',
    });
  });
});
