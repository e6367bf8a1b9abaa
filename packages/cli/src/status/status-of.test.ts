import type { APIServiceBinding } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { connectionsOf } from '../connections/find-connections.ts';
import { credentialEnd, statusOf } from './status-of.ts';

const now = new Date('2026-01-01T00:00:00Z');

describe('status of a binding', () => {
  it('says that its Secret is missing and what to do, and not that its credential never ends', () => {
    const binding = {
      metadata: { name: 'a.x' },
      spec: { kubeconfigSecretRef: { name: 'kubeconfig-1' } },
      status: { conditions: [{ type: 'Connected', status: 'False', message: 'Not connected.' }] },
    } as unknown as APIServiceBinding;
    const [connection] = connectionsOf([], [binding]);
    const [status] = connection ? statusOf(connection, { problem: 'no kubeconfig' }) : [];

    expect(status?.message).toBe('Secret klutch-bind/kubeconfig-1 does not exist; bind again');
    expect(status && credentialEnd(status, now)).toBe('no credential');
  });

  it.each([
    [{}, 'never'],
    [{ credentialProblem: 'It cannot be read' }, 'no credential'],
    [{ credentialExpires: '2026-01-03T00:00:00Z' }, /2d|48h/],
  ])('shows the end of a credential', (status, expected) => {
    expect(credentialEnd(status, now)).toMatch(expected);
  });
});
