import { describe, expect, it } from 'vitest';
import { ref, setup } from './election.fixture.ts';

describe('taking the lease', () => {
  it('leads when it creates the lease, and renews it every retry period', async () => {
    const { clock, server, lease, candidate } = setup();
    const a = candidate('a');

    await clock.advance(6_000);
    expect(a.terms).toHaveLength(1);
    expect(a.election.isLeader()).toBe(true);
    expect(a.election.leader()).toBe('a');
    expect(server.log).toEqual(['create a', 'replace a', 'replace a', 'replace a']);
    expect(lease()?.spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:06.000000Z',
      leaseTransitions: 0,
    });
    expect(a.reports).toEqual(['leading', 'renewed', 'renewed', 'renewed']);
  });

  it('renews at once when asked, once for all who ask while a renewal is under way', async () => {
    const { clock, server, candidate } = setup();
    const a = candidate('a');
    await expect(a.election.renew()).rejects.toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });
    await clock.advance(0);
    a.fate.next = { backMs: 10 };

    const first = a.election.renew();
    await clock.advance(5);
    const others = [a.election.renew(), a.election.renew()];
    await clock.advance(5);
    await first;
    expect(server.log).toEqual(['create a', 'replace a', 'replace a']);
    await clock.advance(10);
    await Promise.all(others);
    await clock.advance(1_900);
    expect(server.log).toHaveLength(3);
    await clock.advance(100);
    expect(server.log).toHaveLength(4);
  });

  it('asks a server that fails no more often than usual, whoever waits for a renewal', async () => {
    const { clock, server, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    a.fate.next = { lost: 'request' };
    const asked = a.election.renew();
    await clock.advance(100);
    a.fate.next = undefined;
    await clock.advance(1_000);
    expect(server.log).toEqual(['create a']);
    await clock.advance(1_000);
    await asked;
    expect(server.log).toEqual(['create a', 'replace a']);
  });

  it('waits while another leads, and says who', async () => {
    const { clock, candidate } = setup();
    candidate('a');
    await clock.advance(0);
    const b = candidate('b');

    await clock.advance(120_000);
    expect(b.terms).toHaveLength(0);
    expect(b.election.isLeader()).toBe(false);
    expect(b.election.leader()).toBe('a');
    expect(b.lines).toEqual(['another candidate leads']);
  });

  it('lets only one of two win who create at the same time', async () => {
    const { clock, candidate } = setup();
    const both = [candidate('a'), candidate('b')];

    await clock.advance(0);
    expect(both.filter(({ election }) => election.isLeader())).toHaveLength(1);
  });

  it('waits a whole lease duration for a holder that does not renew, whatever its times say', async () => {
    const { clock, server, candidate, lease } = setup();
    server.leases.set('kube-system/klutch-bind', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...ref, resourceVersion: '0' },
      spec: {
        holderIdentity: 'gone',
        leaseDurationSeconds: 15,
        renewTime: '2001-01-01T00:00:00.000000Z',
        leaseTransitions: 3,
      },
    });
    const a = candidate('a');

    await clock.advance(14_999);
    expect(a.terms).toHaveLength(0);
    await clock.advance(2_001);
    expect(a.terms).toHaveLength(1);
    expect(lease()?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 4 });
  });

  it('leads again at once after a restart under the same identity', async () => {
    const { clock, candidate, lease } = setup();
    const before = candidate('a', { lead: () => new Promise(() => {}), graceMs: 1 });
    await clock.advance(0);
    before.stop.abort();
    await clock.advance(1);

    const after = candidate('a');
    await clock.advance(0);
    expect(after.terms).toHaveLength(1);
    expect(lease()?.spec?.leaseTransitions).toBe(0);
  });

  it('goes on trying while the server fails, and complains once per kind of failure', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a');
    a.fate.next = { lost: 'request' };

    await clock.advance(60_000);
    expect(a.terms).toHaveLength(0);
    a.fate.next = undefined;
    await clock.advance(2_000);
    expect(a.terms).toHaveLength(1);
    expect(a.lines).toEqual(['request for the lease failed', 'requests for the lease succeed again', 'became leader']);
  });

  it('leads after an answer was lost that said it has the lease', async () => {
    const { clock, server, candidate } = setup();
    const a = candidate('a');
    a.fate.next = { lost: 'answer' };
    server.leases.clear();
    await clock.advance(0);

    a.fate.next = undefined;
    await clock.advance(2_000);
    expect(a.terms).toHaveLength(1);
  });
});

describe('losing the lease', () => {
  it('stops the work before another can take over, when renewals hang', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a');
    const b = candidate('b');
    await clock.advance(4_000);
    a.fate.next = { lost: 'both' };

    await clock.advance(9_999);
    expect(a.election.isLeader()).toBe(true);
    await clock.advance(1);
    expect(a.election.isLeader()).toBe(false);
    expect(a.terms[0]?.signal.reason).toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });
    expect(b.terms).toHaveLength(0);
    await clock.advance(8_000);
    expect(b.election.isLeader()).toBe(true);
    expect(a.reports).toContain('lost');
    expect(a.lines).toContain('leadership lost');
  });

  it('counts the deadline from when a renewal was sent, however late its answer', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    a.fate.next = { backMs: 4_000 };
    await clock.advance(2_000);
    a.fate.next = { lost: 'both' };

    await clock.advance(9_999);
    expect(a.reports).toContain('renewed');
    expect(a.election.isLeader()).toBe(true);
    await clock.advance(1);
    expect(a.terms[0]?.signal.aborted).toBe(true);
  });

  it('counts the deadline from when the request was sent that took the lease', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a', {}, { backMs: 2_000 });
    await clock.advance(4_000);
    expect(a.terms).toHaveLength(1);
    a.fate.next = { lost: 'both' };

    await clock.advance(8_000);
    expect(a.terms[0]?.signal.aborted).toBe(true);
  });

  it('stops the work when the lease is in other hands', async () => {
    const { clock, server, lease, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    const taken = lease();
    if (taken === undefined) throw new Error('no lease');
    server.leases.set('kube-system/klutch-bind', {
      ...taken,
      metadata: { ...taken.metadata, resourceVersion: 'x' },
      spec: { ...taken.spec, holderIdentity: 'thief', leaseTransitions: 1 },
    });

    await clock.advance(2_000);
    expect(a.terms[0]?.term.lost.reason).toMatchObject({ message: expect.stringContaining('"thief" holds it') });
  });

  it('stops the work when the lease is deleted, and competes for a new one', async () => {
    const { clock, server, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    server.leases.clear();

    await clock.advance(2_000);
    expect(a.terms[0]?.signal.aborted).toBe(true);
    await clock.advance(2_000);
    expect(a.terms).toHaveLength(2);
    expect(a.election.isLeader()).toBe(true);
  });

  it('keeps the lease when somebody merely labelled it', async () => {
    const { clock, server, lease, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    const held = lease();
    if (held === undefined) throw new Error('no lease');
    const metadata = { ...held.metadata, resourceVersion: 'x', labels: { team: 'a' } };
    server.leases.set('kube-system/klutch-bind', { ...held, metadata });

    await clock.advance(60_000);
    expect(a.terms).toHaveLength(1);
    expect(a.election.isLeader()).toBe(true);
    expect(lease()?.metadata.labels).toEqual({ team: 'a' });
  });

  it('keeps leading through failures shorter than the deadline', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    a.fate.next = { lost: 'answer' };
    await clock.advance(7_000);

    a.fate.next = undefined;
    await clock.advance(60_000);
    expect(a.terms).toHaveLength(1);
    expect(a.reports).toContain('not renewed');
  });

  it('competes again after a loss, and leads again', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a');
    await clock.advance(0);
    a.fate.next = { lost: 'request' };
    await clock.advance(20_000);
    expect(a.election.isLeader()).toBe(false);

    a.fate.next = undefined;
    await clock.advance(2_000);
    expect(a.terms).toHaveLength(2);
    expect(a.election.isLeader()).toBe(true);
  });

  it('does not lead again while its former work has not ended, and is unhealthy meanwhile', async () => {
    const { clock, candidate } = setup();
    const ends: (() => void)[] = [];
    const a = candidate('a', {
      lead: () =>
        new Promise((resolve) => {
          ends.push(resolve);
        }),
    });
    await clock.advance(0);
    a.fate.next = { lost: 'request' };
    await clock.advance(18_000);
    a.election.check();
    a.fate.next = undefined;

    await clock.advance(1);
    expect(() => a.election.check()).toThrow('lease kube-system/klutch-bind has expired');
    await clock.advance(60_000);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await clock.advance(2_000);
    expect(ends).toHaveLength(2);
    a.election.check();
  });

  it('notices a sleep of the machine by the wall clock', async () => {
    const { clock, candidate } = setup();
    const a = candidate('a');
    await clock.advance(1_000);

    clock.jump(60_000);
    expect(a.election.isLeader()).toBe(false);
    await clock.advance(1_000);
    expect(a.terms[0]?.signal.aborted).toBe(true);
  });
});
