import { annotations, finalizers } from '@klutch/api';
import type { ResourceType, UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { BoundApi } from './bound-api.ts';
import { decide, settleMs } from './decide.ts';
import type { KeyMemory } from './memory.ts';
import { defaultMetadataRules } from './metadata-rules.ts';
import { wantedCopy } from './render.ts';
import type { Looked, Seen, SeenCrd } from './seen.ts';

const type: ResourceType = { group: 'example.org', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const api: BoundApi = {
  binding: { name: 'widgets.example.org', uid: 'b' },
  name: 'widgets.example.org',
  appType: type,
  controlPlaneType: type,
  isolation: 'ServiceNamespace',
  informerScope: 'Namespaced',
  statusSubresource: true,
  statusConditions: true,
  orphans: 'Hold',
};
const render = {
  api,
  tenant: { clusterNamespace: 'x', uid: 'x-uid' },
  appClusterId: 'here',
  metadata: defaultMetadataRules,
};
const ref = { namespace: 'svc', name: 'w' };
const made = '2026-01-02T00:00:00Z';
const crd: SeenCrd = { isAvailable: true, created: '2026-01-01T00:00:00Z', stamp: 'epoch-01:3', isFirst: false };
const line: Seen['line'] = {
  judge: (stamp) => (stamp === undefined ? 'unknown' : stamp.startsWith('epoch-01:') ? 'here' : 'elsewhere'),
};
const now = 100_000;

const fresh: UnknownObject = {
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { namespace: 'a', name: 'w', uid: 'u1', resourceVersion: '5', creationTimestamp: made },
  spec: { size: 1 },
};
const claimed = withMetadata(fresh, { finalizers: [finalizers.syncer], annotations: { [annotations.bound]: 'true' } });
const ending = withMetadata(claimed, { deletionTimestamp: made });
const copy = withMarks(
  withMetadata(wantedCopy(claimed, ref, render), {
    uid: 'c1',
    resourceVersion: '9',
    generation: 1,
    creationTimestamp: made,
  }),
  { [annotations.stamp]: 'epoch-01:4' },
);

function withMetadata(object: UnknownObject, metadata: object): UnknownObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

function withMarks(object: UnknownObject, marks: Record<string, string | undefined>): UnknownObject {
  const all = Object.entries({ ...object.metadata.annotations, ...marks }).filter(([, value]) => value !== undefined);
  return withMetadata(object, { annotations: Object.fromEntries(all) });
}

const of = {
  go: withMarks(copy, {
    [annotations.sourceCluster]: undefined,
    [annotations.sourceUid]: undefined,
    [annotations.applied]: undefined,
  }),
  elsewhere: withMarks(copy, { [annotations.stamp]: 'epoch-02:1' }),
  noStamp: withMarks(copy, { [annotations.stamp]: undefined }),
  unbound: withMetadata(copy, { annotations: {} }),
  otherCluster: withMarks(copy, { [annotations.sourceCluster]: 'there' }),
  otherTenant: withMarks(copy, { [annotations.clusterNamespace]: 'y' }),
  otherOriginal: withMarks(copy, { [annotations.sourceUid]: 'u0' }),
  going: withMetadata(copy, { deletionTimestamp: made, finalizers: ['example.org/slow'] }),
};

interface Case extends Partial<Omit<Seen, 'app' | 'copy' | 'memory' | 'looked' | 'api'>> {
  readonly app?: UnknownObject;
  readonly copy?: UnknownObject;
  readonly memory?: KeyMemory;
  readonly looked?: Looked;
  readonly api?: Partial<BoundApi>;
}

function seen({ app, copy, memory = {}, looked = {}, api: changes, ...rest }: Case): Seen {
  const bound = { ...api, ...changes };
  return {
    key: 'a/w',
    api: bound,
    claimant: { tenant: 'x', appClusterId: 'here', takeOverFrom: bound.takeOverFrom },
    ground: 'own',
    render,
    app,
    place: { state: 'at', ref, ending: false },
    copy: { state: 'known', object: copy },
    memory,
    looked,
    missedSince: app === undefined && copy !== undefined ? now - settleMs : undefined,
    isBraked: false,
    line,
    now,
    date: new Date(made),
    ...rest,
  };
}

const moved: Seen['place'] = { state: 'refused', problem: 'Moved.', copyAt: ref };
const unknownCopy = { state: 'unknown', problem: 'The server refuses.' } as const;

describe('the next step', () => {
  it.each<[string, Case, string]>([
    // nothing there
    ['nothing on either side', {}, 'rest'],
    // a living original
    ['a new original', { app: fresh }, 'claim'],
    ['an original whose annotation is missing', { app: withMetadata(claimed, { annotations: {} }), copy }, 'claim'],
    ['a claimed original without copy', { app: claimed }, 'apply'],
    ['both sides equal', { app: claimed, copy }, 'rest'],
    ['a changed original', { app: { ...claimed, spec: { size: 2 } }, copy }, 'apply'],
    ['a changed copy', { app: claimed, copy: { ...copy, spec: { size: 2 } } }, 'apply'],
    ['a copy with more fields', { app: claimed, copy: { ...copy, spec: { size: 1, ref: 'x' } } }, 'rest'],
    ['a copy of another original', { app: claimed, copy: of.otherOriginal }, 'apply'],
    ['a copy of the Go konnector', { app: claimed, copy: of.go }, 'apply'],
    ['an object that was there before', { app: claimed, copy: of.unbound }, 'apply'],
    ['a copy of another cluster', { app: claimed, copy: of.otherCluster }, 'status'],
    [
      'a copy of the cluster it succeeds',
      { app: claimed, copy: of.otherCluster, api: { takeOverFrom: 'there' } },
      'apply',
    ],
    ['a copy of another tenant', { app: claimed, copy: of.otherTenant }, 'status'],
    ['a copy that somebody deletes', { app: claimed, copy: of.going }, 'rest'],
    ['a status above', { app: claimed, copy: { ...copy, status: { a: 1 } } }, 'status'],
    ['a status below only', { app: { ...claimed, status: { a: 1 } }, copy }, 'status'],
    // an original that goes
    ['an ending original with copy', { app: ending, copy }, 'look crd'],
    ['an ending original with copy, CRD seen', { app: ending, copy, looked: { crd } }, 'deleteCopy'],
    [
      'an ending original with its CRD',
      { app: ending, copy, looked: { crd: { isAvailable: false, isFirst: false } } },
      'release',
    ],
    [
      'an ending original of an earlier CRD',
      { app: ending, copy, looked: { crd: { ...crd, created: '2026-01-03T00:00:00Z' } } },
      'release',
    ],
    ['an ending original, copy going', { app: ending, copy: of.going }, 'rest'],
    [
      'an ending original, deletion sent',
      { app: ending, copy, memory: { deletionSent: { uid: 'c1', at: now } } },
      'rest',
    ],
    [
      'an ending original, deletion sent long ago',
      { app: ending, copy, looked: { crd }, memory: { deletionSent: { uid: 'c1', at: 0 } } },
      'deleteCopy',
    ],
    ['an ending original without copy', { app: ending }, 'look copy'],
    ['an ending original, copy seen gone', { app: ending, memory: { sawCopyGo: true } }, 'release'],
    ['an ending original, copy known gone', { app: ending, looked: { isCopyGone: true } }, 'release'],
    ['an ending original, copy found', { app: ending, looked: { isCopyGone: false } }, 'rest'],
    ['an ending original, copy of another cluster', { app: ending, copy: of.otherCluster }, 'release'],
    ['an ending original, copy of another tenant', { app: ending, copy: of.otherTenant }, 'release'],
    ['an ending original, copy of another original', { app: ending, copy: of.otherOriginal }, 'release'],
    ['an ending original, copy of the Go konnector', { app: ending, copy: of.go, looked: { crd } }, 'deleteCopy'],
    ['an ending original that was never handled', { app: withMetadata(ending, { finalizers: ['x'] }) }, 'rest'],
    // no original
    ['an orphan', { copy }, 'look crd'],
    ['an orphan, CRD seen', { copy, looked: { crd } }, 'look original'],
    ['an orphan, found missing', { copy, looked: { crd, isOriginalAbsent: true } }, 'confirm'],
    ['an orphan, confirmed', { copy, looked: { crd, isOriginalAbsent: true, isConfirmed: true } }, 'deleteCopy'],
    ['an orphan of another history', { copy, looked: { crd, isOriginalAbsent: true, isConfirmed: false } }, 'rest'],
    [
      'an orphan whose deletion was seen',
      {
        copy: of.noStamp,
        memory: { deletedOriginal: 'u1' },
        looked: { crd: { ...crd, stamp: undefined, isFirst: true }, isOriginalAbsent: true },
      },
      'deleteCopy',
    ],
    ['an orphan whose original is there after all', { copy, looked: { crd, isOriginalAbsent: false } }, 'rest'],
    ['an orphan missed just now', { copy, missedSince: now }, 'rest'],
    ['an orphan that goes', { copy: of.going, looked: { crd, isOriginalAbsent: true } }, 'rest'],
    ['an orphan to be restored', { copy, looked: { crd }, api: { orphans: 'Restore' } }, 'create'],
    ['an orphan that went with its CRD', { copy, looked: { crd }, memory: { releasedWithCrd: true } }, 'create'],
    [
      'an orphan whose CRD is still away',
      { copy, looked: { crd: { isAvailable: false, isFirst: false } }, memory: { releasedWithCrd: true } },
      'rest',
    ],
    ['an object of the provider', { copy: of.unbound }, 'create'],
    ['an object of the provider that goes', { copy: withMetadata(of.unbound, { deletionTimestamp: made }) }, 'rest'],
    [
      'an object of the provider, namespace ending',
      { copy: of.unbound, place: { state: 'at', ref, ending: true } },
      'rest',
    ],
    ['an object of the provider for no tenant', { copy: of.unbound, api: { isolation: 'Namespaced' } }, 'rest'],
    ['an orphan of another cluster', { copy: of.otherCluster }, 'rest'],
    ['an orphan of another tenant', { copy: of.otherTenant }, 'rest'],
    // not enough known
    ['an original without a place', { app: fresh, place: { state: 'unknown', namespace: 'a' } }, 'rest'],
    ['an original whose namespace is refused', { app: fresh, place: { state: 'refused', problem: 'No.' } }, 'status'],
    ['an ending original, namespace refused', { app: ending, place: { state: 'refused', problem: 'No.' } }, 'release'],
    ['an ending original, namespace moved', { app: ending, place: moved }, 'look copy'],
    [
      'an ending original, gone from where it was',
      { app: ending, place: moved, looked: { isCopyGone: true } },
      'release',
    ],
    ['an ending original, moved and ours', { app: ending, place: moved, looked: { crd, copy } }, 'deleteCopy'],
    ['an ending original, moved and going', { app: ending, place: moved, looked: { crd, copy: of.going } }, 'rest'],
    ['an ending original, moved and unreadable', { app: ending, place: moved, looked: { copyProblem: 'No.' } }, 'rest'],
    ['an ending original, namespace unknown', { app: ending, place: { state: 'unknown', namespace: 'a' } }, 'rest'],
    ['an original whose namespace ends', { app: claimed, place: { state: 'at', ref, ending: true } }, 'rest'],
  ])('%s', (_, given, expected) => {
    const { step } = decide(seen(given));
    expect(step.do === 'look' ? `look ${step.at}` : step.do).toBe(expected);
  });

  it('is none while the control plane has not been read, whatever the original', () => {
    for (const app of [fresh, claimed, ending]) {
      const decision = decide({ ...seen({ app }), copy: unknownCopy });
      expect(decision.step.do).toBe('rest');
      expect(decision.waiting?.message).toContain('The server refuses.');
    }
    expect(decide({ ...seen({}), copy: unknownCopy })).toEqual({ step: { do: 'rest' } });
  });
});

describe('an API that the provider no longer offers', () => {
  const withdrawn = 'Ask the operator.';

  it.each<[string, Case]>([
    ['a new original', { app: fresh }],
    ['a changed original', { app: { ...claimed, spec: { size: 2 } }, copy }],
    ['an ending original', { app: ending, copy, looked: { crd } }],
    ['an ending original without copy', { app: ending, memory: { sawCopyGo: true } }],
  ])('shows why nothing happens, and sends nothing: %s', (_, { api: more, ...rest }) => {
    const { step, waiting } = decide(seen({ ...rest, api: { ...more, withdrawn } }));

    expect(step.do).toBe('status');
    expect(waiting).toMatchObject({ reason: 'EntitlementWithdrawn', message: withdrawn, isVisible: true });
  });

  it('keeps copies whose originals are gone', () => {
    const gone: Case = { copy, memory: { deletedOriginal: 'u1' }, looked: { crd, isOriginalAbsent: true } };

    expect(decide(seen({ ...gone, api: { withdrawn } })).step.do).toBe('rest');
  });
});

describe('an orphan is held', () => {
  it.each<[string, Case]>([
    ['braked', { copy, isBraked: true }],
    ['setBack', { copy: of.elsewhere }],
    ['unknownOrigin', { copy: of.go }],
    ['unknownOrigin', { copy: of.noStamp }],
    ['otherCluster', { copy: of.otherCluster }],
    ['notTakenOver', { copy: of.otherCluster, api: { takeOverFrom: 'there' } }],
    ['strange', { copy, memory: { strangeCopy: 'c1' } }],
    ['crdNewer', { copy, looked: { crd: { ...crd, stamp: 'epoch-01:4' } } }],
    ['crdNewer', { copy, looked: { crd: { ...crd, stamp: undefined } } }],
  ])('as %s', (held, given) => {
    expect(decide(seen(given))).toMatchObject({ step: { do: 'rest' }, held });
  });
});

describe('a take-over', () => {
  it.each<[string, UnknownObject, boolean]>([
    ['of a copy of ours', { ...copy, spec: {} }, false],
    ['of a copy of another original', of.otherOriginal, true],
    ['of a copy of the Go konnector', of.go, true],
    ['of an object that was there before', of.unbound, true],
  ])('%s is marked as such: %s', (_, there, isTakeOver) => {
    expect(decide(seen({ app: claimed, copy: there })).step).toMatchObject({ do: 'apply', over: { isTakeOver } });
  });
});

describe('what the control plane refused', () => {
  const changed = { ...claimed, spec: { size: 2 } };
  const rejection = {
    applied: wantedCopy(changed, ref, render).metadata.annotations?.[annotations.applied] ?? '',
    copyVersion: 'c1@1',
    message: 'Too big.',
    failures: 3,
    until: now + 1_000,
    mayPass: false,
  };

  it('is shown, and not sent again before its time', () => {
    const decision = decide(seen({ app: changed, copy, memory: { rejection } }));
    expect(decision).toMatchObject({
      step: { do: 'status', hasCondition: true },
      waiting: { reason: 'Rejected', message: 'The control plane refuses this object: Too big.', isVisible: true },
      againMs: 1_000,
    });
  });

  it.each<[string, Case]>([
    ['its time has come', { app: changed, copy, now: now + 1_000 }],
    ['the user changes it', { app: { ...claimed, spec: { size: 3 } }, copy }],
    ['the copy changes', { app: changed, copy: withMetadata(copy, { generation: 2 }) }],
    ['the copy is another', { app: changed, copy: withMetadata(copy, { uid: 'c2' }) }],
  ])('is sent again when %s', (_, given) => {
    expect(decide(seen({ ...given, memory: { rejection } })).step.do).toBe('apply');
  });

  it('for lack of rights is not shown before they had time to become effective', () => {
    const memory = { rejection: { ...rejection, mayPass: true } };
    expect(decide(seen({ app: changed, copy, memory })).step.do).toBe('rest');
    const waited = { ...memory, waiting: { reason: 'Rejected', since: now - 10_000 } };
    expect(decide(seen({ app: changed, copy, memory: waited })).step.do).toBe('status');
  });
});

describe('a copy that somebody changes again and again', () => {
  const drifted = { ...copy, spec: { size: 2 } };
  const reverts = { count: 9, at: now - 1_000, until: now + 500 };

  it('is left for a while before it is taken back', () => {
    expect(decide(seen({ app: claimed, copy: drifted, memory: { reverts } }))).toEqual({
      step: { do: 'rest' },
      againMs: 500,
    });
    expect(decide(seen({ app: claimed, copy: drifted, memory: { reverts }, now: now + 500 })).step.do).toBe('apply');
  });

  it('still gets what the user changes at once', () => {
    const changed = { ...claimed, spec: { size: 3 } };
    expect(decide(seen({ app: changed, copy: drifted, memory: { reverts } })).step.do).toBe('apply');
  });
});

describe('a wait', () => {
  const place = (seconds: number): Seen['place'] => ({
    state: 'waiting',
    since: new Date(Date.parse(made) - seconds * 1_000),
  });

  it('for a namespace is shown after ten seconds, even if this process has not seen all of them', () => {
    const young = decide(seen({ app: fresh, place: place(4) }));
    expect(young).toMatchObject({ step: { do: 'rest' }, againMs: 6_000, want: 'a', waiting: { isVisible: false } });
    const old = decide(seen({ app: fresh, place: place(11) }));
    expect(old).toMatchObject({ step: { do: 'status' }, want: 'a', waiting: { reason: 'NamespaceNotReady' } });
  });

  it('for a deletion is shown after two seconds, with what is waited for', () => {
    const first = decide(seen({ app: ending, copy: of.going }));
    expect(first).toMatchObject({ step: { do: 'rest' }, againMs: 2_000 });
    const waited = { waiting: { reason: 'Deleting', since: now - 2_000 } };
    const second = decide(seen({ app: ending, copy: of.going, memory: waited }));
    expect(second).toMatchObject({ step: { do: 'status' }, waiting: { isVisible: true } });
    expect(second.waiting?.message).toContain('example.org/slow');
  });

  it('is not shown in a status that has no room for it', () => {
    const refused = { state: 'refused', problem: 'No.' } as const;
    expect(decide(seen({ app: fresh, place: refused, api: { statusConditions: false } })).step.do).toBe('rest');
    expect(decide(seen({ app: fresh, place: refused, memory: { refusesCondition: true } })).step.do).toBe('rest');
  });

  it('leaves no condition behind when it is over', () => {
    const shown = decide(seen({ app: claimed, copy: of.otherCluster })).step;
    if (shown.do !== 'status') throw new Error('the conflict should be shown');
    const after = decide(seen({ app: { ...claimed, status: shown.wanted }, copy }));
    expect(after.step).toMatchObject({ do: 'status', wanted: undefined, hasCondition: false });
  });

  it('never copies the status of somebody else', () => {
    const { step } = decide(seen({ app: claimed, copy: { ...of.otherCluster, status: { secret: 'x' } } }));
    expect(JSON.stringify(step)).not.toContain('secret');
  });
});
