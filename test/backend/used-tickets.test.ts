import { labels } from '@klutch/api';
import { Leases, Namespaces } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { createDeviceMarks } from '../../packages/backend/src/login/device-marks.ts';
import { createUsedTickets, removeExpiredTickets } from '../../packages/backend/src/login/used-tickets.ts';
import { unique } from '../konnector/clusters.ts';
import { onBothTiers } from '../konnector/on-both-tiers.ts';

onBothTiers('marks of used tickets', (clusters) => {
  async function ownNamespace(): Promise<string> {
    const name = unique('tickets');
    await clusters()
      .controlPlane.admin.resource(Namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return name;
  }

  it('BE-11 BE-30 let one of many replicas use a ticket, once', async () => {
    const namespace = await ownNamespace();
    const clock = createManualClock(new Date());
    const replicas = Array.from({ length: 10 }, () =>
      createUsedTickets(clusters().controlPlane.admin, namespace, clock),
    );
    const expiresAt = new Date(clock.date().getTime() + 600_000);

    const outcomes = await Promise.all(replicas.map((tickets) => tickets.use('ticket-1', expiresAt)));

    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await replicas[0]?.use('ticket-1', expiresAt)).toBe(false);
    expect(await replicas[0]?.use('ticket-2', expiresAt)).toBe(true);
  });

  it('do not show the ticket, and go when it has expired, with nothing else', async () => {
    const namespace = await ownNamespace();
    const client = clusters().controlPlane.admin;
    const clock = createManualClock(new Date());
    const tickets = createUsedTickets(client, namespace, clock);
    await tickets.use('a-ticket', new Date(clock.date().getTime() + 600_000));
    await tickets.use('short', new Date(clock.date().getTime() + 1_000));
    await client.resource(Leases).create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'of-somebody-else', namespace },
      spec: { acquireTime: '2020-01-01T00:00:00.000000Z', leaseDurationSeconds: 1 },
    });
    await client.resource(Leases).create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'klutch-ticket-damaged', namespace, labels: { [labels.ticket]: 'used' } },
    });
    const names = async () =>
      (await client.resource(Leases).list({ namespace })).items.map(({ metadata }) => metadata.name ?? '');
    expect((await names()).join()).not.toContain('a-ticket');

    expect(await removeExpiredTickets(client, namespace, clock)).toBe(0);
    clock.jump(62_000);
    expect(await removeExpiredTickets(client, namespace, clock)).toBe(1);
    expect(await tickets.use('a-ticket', clock.date())).toBe(false);
    clock.jump(600_000);
    expect(await removeExpiredTickets(client, namespace, clock)).toBe(1);

    expect(await names()).toEqual(['klutch-ticket-damaged', 'of-somebody-else']);
  });

  it('keep how far logins with device codes have come, without overwriting what another replica wrote', async () => {
    const namespace = await ownNamespace();
    const client = clusters().controlPlane.admin;
    const clock = createManualClock(new Date());
    const marks = createDeviceMarks(client, namespace, clock);
    const expiresAt = new Date(clock.date().getTime() + 600_000);
    const code = 'WDJB-MJHT';
    expect(await marks.find(code)).toBeUndefined();

    const first = await Promise.all(['a', 'b'].map((text) => marks.store(code, text, expiresAt)));
    expect(first.filter(Boolean)).toHaveLength(1);
    const found = await marks.find(code);
    const second = await Promise.all(['c', 'd'].map((text) => marks.store(code, text, expiresAt, found?.version)));
    expect(second.filter(Boolean)).toHaveLength(1);
    expect((await marks.find(code))?.text).toBe(second[0] ? 'c' : 'd');
    expect(await marks.store(code, 'e', expiresAt, found?.version)).toBe(false);
    const { items } = await client.resource(Leases).list({ namespace });
    expect(items.map(({ metadata }) => metadata.name).join()).not.toContain(code);

    clock.jump(662_000);
    expect(await removeExpiredTickets(client, namespace, clock)).toBe(1);
    expect(await marks.find(code)).toBeUndefined();
  });
});
