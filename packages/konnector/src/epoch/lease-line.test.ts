import { annotations } from '@klutch/api';
import { isKubeError, KubeError, type KubeClient, type Lease, Leases, silentLogger } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { createLeaseLine } from './lease-line.ts';
import { parseMark } from './mark.ts';

const ref = { namespace: 'klutch-bind', name: 'klutch-bind' };

/** A server with one lease, and an election that writes it when the test says so. */
function setup() {
  let stored: Lease | undefined;
  let version = 0;
  let losesAnswers = false;
  let refuses = false;
  const store = (lease: Lease): Lease => {
    version += 1;
    stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(version) } };
    return stored;
  };
  const client = {
    resource: () => ({
      find: async () => stored,
      create: async (lease: Lease) => store(lease),
      replace: async (lease: Lease) => {
        if (lease.metadata.resourceVersion !== stored?.metadata.resourceVersion) {
          throw new KubeError('KUBE_CONFLICT', 'changed');
        }
        if (refuses) throw new KubeError('KUBE_UNREACHABLE', 'away');
        const answer = store(lease);
        if (losesAnswers) throw new KubeError('KUBE_TIMEOUT', 'no answer');
        return answer;
      },
    }),
  } as unknown as KubeClient;
  let seconds = 0;
  let held: Lease | undefined;
  const timed = (lease: Lease, leaseTransitions: number): Lease => ({
    ...lease,
    spec: { ...lease.spec, leaseTransitions, renewTime: `second ${seconds++}` },
  });
  const line = createLeaseLine({ client, lease: ref, renew, log: silentLogger });
  const leases = line.client.resource(Leases);

  async function take(): Promise<void> {
    const found = await leases.find(ref);
    held = found
      ? await leases.replace(timed(found, (found.spec?.leaseTransitions ?? 0) + 1))
      : await leases.create(timed({ apiVersion: 'v1', kind: 'Lease', metadata: ref }, 0));
  }

  async function renew(): Promise<void> {
    const lease = held as Lease;
    try {
      held = await leases.replace(timed(lease, lease.spec?.leaseTransitions ?? 0));
    } catch (error) {
      if (!isKubeError(error, 'KUBE_CONFLICT')) throw error;
      const found = (await leases.find(ref)) as Lease;
      held = await leases.replace(timed(found, found.spec?.leaseTransitions ?? 0));
    }
  }

  return {
    line,
    take,
    renew,
    mark: () => parseMark(stored?.metadata.annotations?.[annotations.mark]),
    loseAnswers: (loses: boolean) => {
      losesAnswers = loses;
    },
    refuse: (isAway: boolean) => {
      refuses = isAway;
    },
    backup: () => stored,
    restore: (lease: Lease | undefined) => {
      stored = lease;
    },
  };
}

describe('the line of a lease', () => {
  it('begins an epoch with each term, and takes stamps with renewals only', async () => {
    const { line, take, renew, mark } = setup();
    await take();
    const first = await line.reserve();
    await renew();
    expect(mark()).toMatchObject({ count: 1, past: [] });
    await take();
    expect(mark()?.epoch).not.toBe(first?.split(':')[0]);
    expect(mark()?.past).toHaveLength(1);
    expect(line.judge(first)).toBe('here');
    expect(line.timesSetBack()).toBe(0);
  });

  it('notices a cluster that was set back, also when no stamp was taken since', async () => {
    const { line, take, renew, backup, restore } = setup();
    await take();
    const stamp = await line.reserve();
    const before = backup();
    await renew();
    let relists = 0;
    line.onSetBack(async () => void (relists += 1));
    restore(before);
    await renew();
    expect([line.timesSetBack(), relists]).toEqual([1, 1]);
    expect(line.judge(stamp)).toBe('here');
    await renew();
    expect(line.timesSetBack()).toBe(1);
  });

  it('does not take a renewal whose answer was lost for a backup', async () => {
    const { line, take, renew, loseAnswers } = setup();
    await take();
    const stamp = await line.reserve();
    loseAnswers(true);
    await expect(renew()).rejects.toMatchObject({ code: 'KUBE_TIMEOUT' });
    loseAnswers(false);
    await renew();
    expect(line.timesSetBack()).toBe(0);
    expect(line.judge(stamp)).toBe('here');
  });

  it('does not know stamps that were taken after the backup', async () => {
    const { line, take, renew, backup, restore } = setup();
    await take();
    const kept = await line.reserve();
    const before = backup();
    const lost = await line.reserve();
    restore(before);
    await renew();
    const next = await line.reserve();
    expect([kept, lost, next].map((stamp) => line.judge(stamp))).toEqual(['here', 'elsewhere', 'here']);
  });

  it('keeps a promise whose answer was lost, and never one that did not arrive at once', async () => {
    const { line, take, renew, loseAnswers, refuse } = setup();
    await take();
    loseAnswers(true);
    const stored = line.promise();
    await new Promise((resolve) => setImmediate(resolve));
    loseAnswers(false);
    await renew();
    expect(line.judge(stored)).toBe('here');

    refuse(true);
    const broken = line.promise();
    await new Promise((resolve) => setImmediate(resolve));
    refuse(false);
    // The mark goes on beyond the count of the promise, and the cluster may have been set back before that.
    for (let times = 0; times < 3; times += 1) await line.reserve();
    expect(line.judge(broken)).toBe('elsewhere');
    expect(line.judge(line.promise())).toBe('elsewhere');
    expect(line.judge(await line.reserve())).toBe('here');
  });

  it('begins anew when the lease is gone', async () => {
    const { line, take, restore } = setup();
    await take();
    const lost = await line.reserve();
    restore(undefined);
    await take();
    expect(line.judge(lost)).toBe('elsewhere');
    expect(line.judge(await line.reserve())).toBe('here');
  });
});
