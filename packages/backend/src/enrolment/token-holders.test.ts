import type { KubeClient, Lease } from '@klutch/kube';
import { KubeError } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTokenHolders, type TokenHolders } from './token-holders.ts';

const holder = { uid: 'cluster-1', key: 'secret-key' };
const token = { id: 'ticket', expiresAt: new Date('2030-01-01T00:00:00Z') };

/** Leases of one namespace, kept in a map. */
function memory(): { readonly client: KubeClient; readonly stored: Map<string, Lease> } {
  const stored = new Map<string, Lease>();
  const leases = {
    create: async (lease: Lease) => {
      const name = lease.metadata.name ?? '';
      if (stored.has(name)) throw new KubeError('KUBE_ALREADY_EXISTS', 'It exists.');
      stored.set(name, lease);
      return lease;
    },
    get: async ({ name }: { readonly name: string }) => stored.get(name),
    replace: async (lease: Lease) => {
      stored.set(lease.metadata.name ?? '', lease);
      return lease;
    },
  };
  return { client: { resource: () => leases } as unknown as KubeClient, stored };
}

describe('an enrolment token', () => {
  let holders: TokenHolders;
  let stored: Map<string, Lease>;
  beforeEach(() => {
    const { client, stored: leases } = memory();
    stored = leases;
    holders = createTokenHolders(client, 'klutch', createManualClock());
  });

  it('belongs to who presents it first, as often as they come', async () => {
    expect(await holders.claim(token, holder)).toEqual({ by: 'presenter', isRegistered: false });
    expect(await holders.claim(token, holder)).toEqual({ by: 'presenter', isRegistered: false });
  });

  it.each([
    ['another cluster', { uid: 'cluster-2', key: 'secret-key' }],
    ['another key', { uid: 'cluster-1', key: 'guessed' }],
  ])('belongs to nobody else: %s', async (by, other) => {
    await holders.claim(token, holder);

    expect(await holders.claim(token, other)).toEqual({ by });
    expect(await holders.claim({ ...token, id: 'other' }, other)).toMatchObject({ by: 'presenter' });
  });

  it('remembers that its holder was registered', async () => {
    await holders.claim(token, holder);
    await holders.noteRegistered(token);
    await holders.noteRegistered(token);

    expect(await holders.claim(token, holder)).toEqual({ by: 'presenter', isRegistered: true });
  });

  it('is remembered without the key, and until it ends', async () => {
    await holders.claim(token, holder);
    const [lease] = stored.values();

    expect(JSON.stringify(lease)).not.toContain('secret-key');
    expect(lease?.metadata.labels).toEqual({ 'klutch.anynines.com/ticket': 'used' });
    expect(lease?.spec?.leaseDurationSeconds).toBeGreaterThan(3_600);
  });
});
