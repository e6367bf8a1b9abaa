import { annotations, type APIServiceNamespace, apiVersion, type Condition, finalizers, labels } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFailure, type Decision, decide, type Seen } from './decide.ts';
import { type Claimant, marksOf, placeNames } from './place.ts';

const claimant: Claimant = { clusterNamespace: 'cluster-a', clusterUid: 'uid-a', name: 'team' };
const names = placeNames({ namespace: 'cluster-a', name: 'team' });

describe('an app namespace that wants a place', () => {
  it('is held, gets its namespace and the rights in it, and only then the answer', () => {
    const decision = decide(seen({ mapping: mapping({ finalizers: [] }) }));

    expect(stepsOf(decision)).toEqual(['hold', 'create', 'grant']);
    expect(decision.steps[1]).toMatchObject({
      namespace: {
        metadata: {
          name: names.own,
          annotations: { [annotations.apiServiceNamespace]: 'cluster-a/team', [annotations.tenant]: 'cluster-a/uid-a' },
          labels: { [labels.backend]: 'bind', [labels.clusterNamespace]: 'cluster-a' },
        },
      },
    });
    expect(decision.status).toMatchObject({ namespace: names.own });
    expect(statesOf(decision)).toEqual(['Ready True', 'NamespaceReady True']);
  });

  it('has what it needs when all is there', () => {
    const settled = seen({ mapping: answered(names.own), places: { own: ours() } });

    expect(decide(settled)).toEqual({ steps: [{ do: 'grant', namespace: names.own }] });
  });

  it('has its namespace marked when a Go backend made it', () => {
    const go = namespace(names.go, { annotations: { [annotations.apiServiceNamespace]: 'cluster-a/team' } });
    const decision = decide(seen({ places: { go } }));

    expect(stepsOf(decision)).toEqual(['mark', 'grant']);
    expect(decision.status?.namespace).toBe(names.go);
  });

  it('is corrected when its status names a namespace that is not its own', () => {
    const decision = decide(seen({ mapping: answered('kube-system'), places: { own: ours() } }));

    expect(stepsOf(decision)).toEqual(['grant']);
    expect(decision.steps).toEqual([{ do: 'grant', namespace: names.own }]);
    expect(decision.status).toEqual({ namespace: names.own });
  });

  it('waits when its place belongs to somebody else, and touches nothing', () => {
    const decision = decide(seen({ mapping: mapping({ finalizers: [] }), places: { own: namespace(names.own) } }));

    expect(decision.steps).toEqual([]);
    expect(decision.status).not.toHaveProperty('namespace');
    expect(readyOf(decision)).toMatchObject({ status: 'False', severity: 'Error', reason: 'NamespaceForeign' });
    expect(readyOf(decision)?.message).toContain('was not made for this app namespace');
    expect(decision.againMs).toBe(30_000);
  });

  it('waits when its place belonged to an earlier cluster of the name, and says how to take it over', () => {
    const own = namespace(names.own, { annotations: marksOf({ ...claimant, clusterUid: 'before' }) });

    expect(readyOf(decide(seen({ places: { own } })))?.message).toContain(
      `removing its annotation ${annotations.tenant}`,
    );
  });

  it('waits when the quota is used up, and gets none more', () => {
    const decision = decide(seen({ quota: { used: 3, limit: 3 } }));

    expect(decision.steps).toEqual([]);
    expect(readyOf(decision)).toMatchObject({ reason: 'QuotaExceeded', severity: 'Error' });
    expect(decision.againMs).toBe(30_000);
  });

  it('keeps what it has although the quota was lowered', () => {
    const decision = decide(seen({ places: { own: ours() }, quota: { used: 9, limit: 3 } }));

    expect(stepsOf(decision)).toEqual(['grant']);
  });

  it('waits while its namespace is on its way out', () => {
    const own = ours({ deletionTimestamp: '2026-01-01T00:00:00Z' });
    const decision = decide(seen({ places: { own } }));

    expect(decision.steps).toEqual([]);
    expect(readyOf(decision)?.reason).toBe('Deleting');
    expect(decision.againMs).toBe(5_000);
  });

  it('gets nothing more when its cluster namespace is on its way out', () => {
    const clusterNamespace = cluster({ deletionTimestamp: '2026-01-01T00:00:00Z' });

    expect(decide(seen({ clusterNamespace }))).toEqual({ steps: [] });
  });

  it('says what failed, once', () => {
    const status = afterFailure(seen(), 'forbidden');
    const again = seen({ mapping: mapping({}, { conditions: status?.conditions }) });

    expect(status?.conditions?.[0]).toMatchObject({ type: 'Ready', reason: 'NamespaceFailed' });
    expect(status?.conditions?.[0]?.message).toContain('forbidden');
    expect(afterFailure(again, 'forbidden')).toBeUndefined();
  });
});

describe('an app namespace that goes', () => {
  const going = mapping({ deletionTimestamp: '2026-01-01T00:00:00Z' }, { namespace: names.own });

  it('has its place looked through before anything else', () => {
    const decision = decide(seen({ mapping: going, places: { own: ours() } }));

    expect(decision).toEqual({ steps: [{ do: 'look inside', namespace: names.own }] });
  });

  it('has its place removed when nothing is left in it', () => {
    const decision = decide(seen({ mapping: going, places: { own: ours() }, left: [] }));

    expect(decision.steps).toEqual([{ do: 'delete', namespace: ours() }]);
    expect(readyOf(decision)?.reason).toBe('Deleting');
    expect(decision.againMs).toBe(5_000);
  });

  it('keeps its place while something is left in it, and says what', () => {
    const decision = decide(seen({ mapping: going, places: { own: ours() }, left: ['Widget w1', 'Widget w2'] }));

    expect(decision.steps).toEqual([]);
    expect(readyOf(decision)).toMatchObject({ reason: 'DeletionHeld', severity: 'Warning' });
    expect(readyOf(decision)?.message).toContain('such as Widget w1, Widget w2. Delete them');
    expect(decision.againMs).toBe(15_000);
  });

  it.each([
    ['is purged', { [annotations.access]: 'Revoked', [annotations.purge]: 'cluster-a' }, 'delete'],
    ['is to be purged but not revoked', { [annotations.purge]: 'cluster-a' }, 'look inside'],
    ['has another name in its purge', { [annotations.access]: 'Revoked', [annotations.purge]: 'other' }, 'look inside'],
  ])('of a cluster that %s', (_, notes, step) => {
    const clusterNamespace = cluster({ annotations: notes });

    expect(stepsOf(decide(seen({ mapping: going, places: { own: ours() }, clusterNamespace })))).toEqual([step]);
  });

  it('stays until its place is gone', () => {
    const own = ours({ deletionTimestamp: '2026-01-01T00:00:00Z' });
    const decision = decide(seen({ mapping: going, places: { own } }));

    expect(decision).toMatchObject({ steps: [], againMs: 5_000 });
  });

  it('is let go when the server itself confirms that its place is gone', () => {
    expect(decide(seen({ mapping: going }))).toEqual({ steps: [{ do: 'confirm' }] });
    expect(decide(seen({ mapping: going, isConfirmed: true }))).toEqual({ steps: [{ do: 'release' }] });
  });

  it('is let go without a touch at a namespace that is not its own, whatever its status says', () => {
    const places = { own: namespace(names.own), go: namespace(names.go) };

    expect(stepsOf(decide(seen({ mapping: going, places, isConfirmed: true, left: [] })))).toEqual(['release']);
  });

  it('needs nothing when it was never held', () => {
    const free = mapping({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['other'] });

    expect(decide(seen({ mapping: free, places: { own: ours() }, left: [] }))).toEqual({ steps: [] });
  });
});

it('only ever touches namespaces that were made for exactly this app namespace', () => {
  const marks = fc.constantFrom(
    {},
    marksOf(claimant),
    marksOf({ ...claimant, clusterUid: 'before' }),
    marksOf({ ...claimant, name: 'other' }),
    { [annotations.apiServiceNamespace]: 'cluster-a/team' },
    { [annotations.apiServiceNamespace]: 'cluster/a-team' },
  );
  const place = (name: string) =>
    fc.option(
      marks.map((notes) => namespace(name, { annotations: notes })),
      { nil: undefined },
    );
  const anything = fc.record({
    own: place(names.own),
    go: place(names.go),
    deletionTimestamp: fc.constantFrom(undefined, '2026-01-01T00:00:00Z'),
    told: fc.constantFrom(undefined, names.own, names.go, 'kube-system'),
    left: fc.constantFrom(undefined, [], ['Widget w']),
    isConfirmed: fc.boolean(),
  });
  fc.assert(
    fc.property(anything, ({ own, go, deletionTimestamp, told, left, isConfirmed }) => {
      const going = mapping({ deletionTimestamp }, { namespace: told });
      const decision = decide(seen({ mapping: going, places: { own, go }, left, isConfirmed }));
      const existing = new Map([own, go].flatMap((found) => (found ? [[found.metadata.name, found]] : [])));
      for (const name of touched(decision)) {
        const notes = existing.get(name)?.metadata.annotations ?? marksOf(claimant);
        expect(notes[annotations.apiServiceNamespace]).toBe('cluster-a/team');
        expect([undefined, 'cluster-a/uid-a']).toContain(notes[annotations.tenant]);
      }
    }),
  );
});

function touched({ steps, status }: Decision): readonly string[] {
  const places = steps.flatMap((step) => {
    if (!('namespace' in step)) return [];
    return [typeof step.namespace === 'string' ? step.namespace : (step.namespace.metadata.name ?? '')];
  });
  return [...places, ...(status?.namespace ? [status.namespace] : [])];
}

function seen(fields: Partial<Seen> = {}): Seen {
  return {
    mapping: mapping(),
    clusterNamespace: cluster(),
    mark: { [labels.backend]: 'bind' },
    places: {},
    quota: { used: 0, limit: 10 },
    now: new Date('2026-01-01T00:00:00Z'),
    ...fields,
  };
}

function mapping(metadata: object = {}, status: APIServiceNamespace['status'] = {}): APIServiceNamespace {
  return {
    apiVersion,
    kind: 'APIServiceNamespace',
    metadata: { name: 'team', namespace: 'cluster-a', finalizers: [finalizers.serviceNamespace], ...metadata },
    status,
  };
}

function answered(namespace: string): APIServiceNamespace {
  const state = { status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' } as const;
  return mapping(
    {},
    {
      namespace,
      conditions: [
        { type: 'Ready', ...state },
        { type: 'NamespaceReady', ...state },
      ],
    },
  );
}

function cluster(metadata: object = {}): Namespace {
  return namespace('cluster-a', { uid: 'uid-a', ...metadata });
}

function ours(metadata: object = {}): Namespace {
  return namespace(names.own, {
    annotations: marksOf(claimant),
    labels: { [labels.backend]: 'bind', [labels.clusterNamespace]: 'cluster-a' },
    ...metadata,
  });
}

function namespace(name: string, metadata: object = {}): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...metadata } };
}

function stepsOf({ steps }: Decision): readonly string[] {
  return steps.map((step) => step.do);
}

function statesOf({ status }: Decision): readonly string[] | undefined {
  return status?.conditions?.map((condition) => `${condition.type} ${condition.status}`);
}

function readyOf({ status }: Decision): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}
