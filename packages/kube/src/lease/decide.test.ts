import { describe, expect, it } from 'vitest';
import type { Lease } from '../objects/core.ts';
import { decide, type Decision, lossOf, microTime, observe, releasedLease, type Situation } from './decide.ts';

const date = new Date('2026-03-01T12:00:00.345Z');
const ref = { name: 'klutch-bind', namespace: 'kube-system' };

const heldBy = (holderIdentity: string | undefined, spec: Lease['spec'] = {}): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { ...ref, resourceVersion: '7', labels: { team: 'a' } },
  spec: {
    holderIdentity,
    leaseDurationSeconds: 15,
    acquireTime: '2026-03-01T11:00:00.000000Z',
    renewTime: '2026-03-01T11:59:00.000000Z',
    leaseTransitions: 4,
    ...spec,
  },
});

const situation = (lease: Lease | undefined, unchangedForMs = 0): Situation => ({
  observed: lease && { lease, unchangedSince: 100_000 - unchangedForMs },
  ref,
  identity: 'me',
  leaseDurationMs: 15_000,
  now: 100_000,
  date,
});

const specOf = (decision: Decision) => (decision.do === 'wait' ? undefined : decision.lease.spec);
const now = '2026-03-01T12:00:00.345000Z';

describe('what a candidate does', () => {
  it('creates the lease when there is none', () => {
    expect(decide(situation(undefined))).toEqual({
      do: 'create',
      lease: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: ref,
        spec: {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          acquireTime: now,
          renewTime: now,
          leaseTransitions: 0,
        },
      },
    });
  });

  it.each([
    { given: 'held by another and just seen', lease: heldBy('other'), unchanged: 0, remaining: 15_000 },
    {
      given: 'held by another for a moment less than promised',
      lease: heldBy('other'),
      unchanged: 14_999,
      remaining: 1,
    },
    {
      given: 'held by another who promised a longer time than ours',
      lease: heldBy('other', { leaseDurationSeconds: 60 }),
      unchanged: 59_000,
      remaining: 1_000,
    },
    {
      given: 'held by another who promised nothing',
      lease: heldBy('other', { leaseDurationSeconds: undefined }),
      unchanged: 14_000,
      remaining: 1_000,
    },
    {
      given: 'held by another whose clock is far behind',
      lease: heldBy('other', { renewTime: '2001-01-01T00:00:00.000000Z' }),
      unchanged: 1_000,
      remaining: 14_000,
    },
  ])('waits for a lease $given', ({ lease, unchanged, remaining }) => {
    expect(decide(situation(lease, unchanged))).toEqual({ do: 'wait', holder: 'other', remainingMs: remaining });
  });

  it.each([
    { given: 'unchanged for as long as promised', lease: heldBy('other'), unchanged: 15_000 },
    {
      given: 'unchanged for the short time promised',
      lease: heldBy('other', { leaseDurationSeconds: 1 }),
      unchanged: 1_000,
    },
    {
      given: 'of a holder whose clock is far ahead, but unchanged',
      lease: heldBy('other', { renewTime: '2099-01-01T00:00:00.000000Z' }),
      unchanged: 15_000,
    },
    { given: 'that was released', lease: heldBy(''), unchanged: 0 },
    { given: 'that nobody has held', lease: heldBy(undefined), unchanged: 0 },
  ])('takes a lease $given, and counts the change of hands', ({ lease, unchanged }) => {
    const decision = decide(situation(lease, unchanged));

    expect(decision.do).toBe('replace');
    expect(specOf(decision)).toEqual({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 5,
    });
  });

  it('takes a lease without any record', () => {
    const decision = decide(situation({ ...heldBy('x'), spec: undefined }));

    expect(specOf(decision)).toMatchObject({ holderIdentity: 'me', leaseTransitions: 1 });
  });

  it('renews a lease that carries its own name, as after a restart, without a change of hands', () => {
    expect(specOf(decide(situation(heldBy('me'))))).toEqual({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      acquireTime: '2026-03-01T11:00:00.000000Z',
      renewTime: now,
      leaseTransitions: 4,
    });
  });

  it('writes with the version it read and keeps what it does not know', () => {
    const lease = heldBy('me', { strategy: 'OldestEmulationVersion' } as Lease['spec']);
    const decision = decide(situation(lease));

    expect(decision).toMatchObject({
      lease: {
        metadata: { resourceVersion: '7', labels: { team: 'a' } },
        spec: { strategy: 'OldestEmulationVersion' },
      },
    });
  });

  it('rounds the duration up, so that others never wait too short', () => {
    const decision = decide({ ...situation(undefined), leaseDurationMs: 1_200 });

    expect(specOf(decision)?.leaseDurationSeconds).toBe(2);
  });
});

describe('what was observed', () => {
  const before = { lease: heldBy('other'), unchangedSince: 5 };

  it('keeps the time while the record stays the same, but the newest version', () => {
    const touched = { ...heldBy('other'), metadata: { ...ref, resourceVersion: '8', labels: { team: 'b' } } };

    expect(observe(before, touched, 99)).toEqual({ lease: touched, unchangedSince: 5 });
  });

  it.each([
    ['renewal', heldBy('other', { renewTime: '2026-03-01T11:59:02.000000Z' })],
    ['holder', heldBy('third')],
    ['acquisition', heldBy('other', { acquireTime: '2026-03-01T11:59:02.000000Z' })],
    ['duration', heldBy('other', { leaseDurationSeconds: 20 })],
    ['number of transitions', heldBy('other', { leaseTransitions: 5 })],
    ['object of the same name', { ...heldBy('other'), metadata: { ...ref, uid: 'another' } }],
  ])('starts the time anew for another %s', (_what, lease) => {
    expect(observe(before, lease, 99)?.unchangedSince).toBe(99);
  });

  it('starts the time when a lease is seen for the first time, and forgets a lease that is gone', () => {
    expect(observe(undefined, heldBy('other'), 99)?.unchangedSince).toBe(99);
    expect(observe(before, undefined, 99)).toBeUndefined();
  });
});

describe('what a leader concludes from a conflict', () => {
  it.each([
    { found: undefined, loss: 'the lease was deleted' },
    { found: heldBy(''), loss: 'the lease was released by somebody else' },
    { found: heldBy('other', { leaseTransitions: 5 }), loss: '"other" holds it' },
    { found: heldBy('me', { leaseTransitions: 6 }), loss: 'it changed hands in between' },
    { found: heldBy('me', { renewTime: '2026-03-01T12:00:00.000000Z' }), loss: undefined },
  ])('$loss', ({ found, loss }) => {
    expect(lossOf(heldBy('me'), found, 'me')).toBe(loss);
  });
});

describe('what is written', () => {
  it('releases as client-go does', () => {
    expect(releasedLease(heldBy('me'), date).spec).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 4,
    });
  });

  it('gives times with six digits of the second', () => {
    expect(microTime(new Date(0))).toBe('1970-01-01T00:00:00.000000Z');
  });
});
