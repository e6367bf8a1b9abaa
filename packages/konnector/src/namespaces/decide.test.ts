import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, patienceMs, type Seen, type SeenMapping } from './decide.ts';

const now = new Date('2026-01-01T00:01:00Z');
const earlier = (ms: number) => new Date(now.getTime() - ms);
const present = { state: 'present', uid: 'ns-1' } as const;
const terminating = { state: 'terminating', uid: 'ns-1' } as const;
const gone = { state: 'absent', deletionSeen: true, confirmed: true } as const;
const missing = { state: 'absent', deletionSeen: false, confirmed: false } as const;
const ours: SeenMapping = {
  terminating: false,
  serviceNamespace: 'x-team-a',
  firstAnswer: 'x-team-a',
  isRecorded: true,
  sourceCluster: 'us',
  sourceUid: 'ns-1',
  origin: 'here',
  mayTakeOver: false,
};
const unanswered: SeenMapping = { ...ours, serviceNamespace: undefined, firstAnswer: undefined, isRecorded: false };
const goMade: SeenMapping = { ...ours, sourceCluster: undefined, sourceUid: undefined };
const theirs: SeenMapping = { ...ours, sourceCluster: 'another' };

const seen = (given: Partial<Seen>): Seen => ({
  name: 'team-a',
  clusterNamespace: 'x',
  appClusterId: 'us',
  now,
  app: present,
  isReleased: false,
  stillUsed: false,
  ...given,
});

describe('what becomes of an app namespace', () => {
  type Row = readonly [string, Partial<Seen>, string, string | undefined];
  const rows: readonly Row[] = [
    ['nothing travels', {}, 'unknown', undefined],
    ['something has to travel', { wantedSince: now }, 'waiting', 'create'],
    [
      'something has to travel, but the Namespace was not seen yet',
      { wantedSince: now, app: missing },
      'waiting',
      undefined,
    ],
    [
      'something had to travel, but the Namespace is nowhere to be seen',
      { wantedSince: earlier(patienceMs), app: missing },
      'unknown',
      undefined,
    ],
    [
      'something has to travel from a Namespace that is being deleted',
      { wantedSince: now, app: terminating },
      'refused',
      undefined,
    ],
    ['the backend has not answered', { wantedSince: now, mapping: unanswered }, 'waiting', undefined],
    ['the backend has not answered, and nobody waits', { mapping: unanswered }, 'unknown', undefined],
    ['the backend has answered', { mapping: ours }, 'ready', undefined],
    ['a Go konnector asked', { mapping: goMade }, 'ready', 'mark'],
    [
      'a Go konnector asked for a Namespace that is being deleted',
      { mapping: goMade, app: terminating },
      'ready',
      undefined,
    ],
    ['the Namespace was made anew under its name', { mapping: { ...ours, sourceUid: 'ns-0' } }, 'ready', 'mark'],
    ['another app cluster asked', { mapping: theirs }, 'refused', undefined],
    [
      'another app cluster asked, and may be taken over',
      { mapping: { ...theirs, mayTakeOver: true } },
      'ready',
      'mark',
    ],
    ['another app cluster asked, and the Namespace is gone', { mapping: theirs, app: gone }, 'refused', undefined],
    [
      'another app cluster asked, may be taken over, and the Namespace is gone',
      { mapping: { ...theirs, mayTakeOver: true }, app: gone },
      'ready',
      undefined,
    ],
    ['the Namespace is being deleted', { mapping: ours, app: terminating }, 'ready', undefined],
    ['the Namespace was deleted', { mapping: ours, app: gone }, 'ending', 'give up'],
    [
      'the Namespace was deleted, its objects are not',
      { mapping: ours, app: gone, stillUsed: true },
      'ending',
      undefined,
    ],
    ['the Namespace is not in the cache', { mapping: ours, app: missing }, 'ending', 'confirm'],
    [
      'the app cluster does not remember the Namespace',
      { mapping: { ...ours, origin: 'elsewhere' }, app: missing },
      'ready',
      undefined,
    ],
    ['the place has no stamp of this history', { mapping: { ...ours, origin: 'elsewhere' } }, 'ready', undefined],
    ['a Go konnector asked for what was never seen', { mapping: goMade, app: missing }, 'ready', undefined],
    ['the Namespace was deleted before the backend answered', { mapping: unanswered, app: gone }, 'unknown', 'give up'],
    ['the place is being given up', { mapping: { ...ours, terminating: true } }, 'ending', undefined],
    ['the answer of the backend was not written down', { mapping: { ...ours, isRecorded: false } }, 'ready', 'mark'],
    ['the backend changed its answer', { mapping: { ...ours, firstAnswer: 'x-other' } }, 'refused', undefined],
    ['the backend gave the same place twice', { mapping: { ...ours, holder: 'team-b' } }, 'refused', undefined],
    ['the backend answers with the cluster namespace', { mapping: answering('x') }, 'refused', undefined],
    ['the backend answers nonsense', { mapping: answering('../y') }, 'refused', undefined],
  ];

  it.each(rows)('when %s', (_, given, state, step) => {
    const decision = decide(seen(given));
    expect([decision.mapping.state, decision.step]).toEqual([state, step]);
  });
});

describe('a place that the backend changed', () => {
  it('is refused with the one where everything still is', () => {
    const { mapping } = decide(seen({ mapping: { ...ours, firstAnswer: 'x-other' } }));
    expect(mapping).toMatchObject({ state: 'refused', movedFrom: 'x-other' });
  });
});

describe('those who wait', () => {
  it('for a Namespace that was not seen yet are looked after in time', () => {
    const { lookAgainMs } = decide(seen({ wantedSince: earlier(patienceMs - 700), app: missing }));
    expect(lookAgainMs).toBe(700);
  });

  it('are told nothing while the backend may still be at it, and looked after in time', () => {
    expect(decide(seen({ wantedSince: earlier(4_000), mapping: unanswered }))).toEqual({
      mapping: { state: 'waiting', since: earlier(4_000) },
      step: undefined,
      lookAgainMs: patienceMs - 4_000,
    });
  });

  it('are told when the backend is silent for too long', () => {
    const { mapping, lookAgainMs } = decide(seen({ wantedSince: earlier(patienceMs), mapping: unanswered }));
    expect(mapping).toMatchObject({ state: 'waiting', problem: expect.stringContaining('whether the backend runs') });
    expect(lookAgainMs).toBeUndefined();
  });

  it('are told that the name is too long for the backend, and how long it may be', () => {
    const clusterNamespace = 'kube-bind-'.padEnd(40, 'x');
    const name = 'a'.repeat(30);
    const given = seen({ name, clusterNamespace, wantedSince: earlier(patienceMs), mapping: unanswered });
    expect(decide(given).mapping).toMatchObject({ problem: expect.stringContaining('at most 22 characters') });
  });

  it('are told at once why asking failed', () => {
    const { mapping } = decide(seen({ wantedSince: now, failure: 'Quota exceeded.' }));
    expect(mapping).toMatchObject({ state: 'waiting', problem: 'Quota exceeded.' });
  });

  it('are told how to take over what another app cluster left', () => {
    const { mapping, lookAgainMs } = decide(seen({ mapping: theirs }));
    expect(mapping).toMatchObject({ problem: expect.stringContaining('take-over-from=another') });
    expect(lookAgainMs).toBeGreaterThan(0);
  });
});

describe('a place', () => {
  const anything: fc.Arbitrary<Seen> = fc.record({
    name: fc.constant('team-a'),
    clusterNamespace: fc.constant('x'),
    appClusterId: fc.constant('us'),
    now: fc.constant(now),
    wantedSince: fc.constantFrom(undefined, now, earlier(60_000)),
    app: fc.constantFrom(present, terminating, gone, missing, { ...missing, confirmed: true }),
    mapping: fc.option(
      fc.record({
        terminating: fc.boolean(),
        serviceNamespace: fc.constantFrom(undefined, 'x-team-a', 'y'),
        firstAnswer: fc.constantFrom(undefined, 'x-team-a'),
        isRecorded: fc.boolean(),
        holder: fc.constantFrom(undefined, 'team-b'),
        sourceCluster: fc.constantFrom(undefined, 'us', 'another'),
        sourceUid: fc.constantFrom(undefined, 'ns-1', 'ns-0'),
        origin: fc.constantFrom('here', 'elsewhere', 'unknown'),
        mayTakeOver: fc.boolean(),
      }),
      { nil: undefined },
    ),
    isReleased: fc.boolean(),
    stillUsed: fc.boolean(),
    failure: fc.constantFrom(undefined, 'No.'),
  });

  it('is given up only when unused and when its own app cluster confirmed that the Namespace is gone', () => {
    fc.assert(
      fc.property(anything, (given) => {
        if (decide(given).step !== 'give up') return;
        expect(given.stillUsed).toBe(false);
        expect(given.app).toMatchObject({ state: 'absent', confirmed: true });
        expect([undefined, 'us']).toContain(given.mapping?.sourceCluster);
        const wasSeen = given.app.state === 'absent' && given.app.deletionSeen;
        const isRemembered = given.mapping?.origin === 'here' || given.isReleased;
        expect(wasSeen || (given.mapping?.sourceCluster === 'us' && isRemembered)).toBe(true);
      }),
    );
  });

  it('is never written to while it belongs to another app cluster', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const isTheirs = given.mapping?.sourceCluster === 'another' && !given.mapping.mayTakeOver;
        if (!isTheirs) return;
        expect(decide(given).mapping.state).toBe('refused');
        expect(decide(given).step).toBeUndefined();
      }),
    );
  });
});

function answering(serviceNamespace: string): SeenMapping {
  return { ...ours, serviceNamespace, firstAnswer: serviceNamespace };
}
