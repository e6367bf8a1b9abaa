import { describe, expect, it } from 'vitest';
import type { Metadata, OwnerReference } from '../../objects/api-object.ts';
import type { Entry } from '../../storage/types.ts';
import { DependencyGraph } from './dependency-graph.ts';

const owned = (...uids: readonly string[]): OwnerReference[] =>
  uids.map((uid) => ({ apiVersion: 'v1', kind: 'Owner', name: uid, uid }));

const deleting = (...finalizers: string[]): Metadata => ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers });

/** A graph, what it wants to have examined, and how often objects were parsed. */
function observedGraph() {
  const examined: string[] = [];
  let parses = 0;
  const graph = new DependencyGraph((id) => examined.push(id));
  const entry = (key: string, metadata: Metadata): Entry => {
    const object = { apiVersion: 'v1', kind: 'X', metadata };
    const json = JSON.stringify(object);
    const parse = () => {
      parses += 1;
      return structuredClone(object);
    };
    return { bucket: 'b', key, revision: 1, json, labels: undefined, object: parse };
  };
  return {
    graph,
    put: (key: string, metadata: Metadata) => graph.observe('b', key, entry(key, { uid: `uid-${key}`, ...metadata })),
    remove: (key: string, metadata: Metadata = {}) => {
      graph.observeGone(entry(key, { uid: `uid-${key}`, ...metadata }));
      graph.observe('b', key, undefined);
    },
    examinedSince: () => examined.splice(0).sort(),
    parses: () => parses,
  };
}

describe('a dependency graph', () => {
  it('does not parse objects that have neither owners nor a deletion', () => {
    const { put, remove, parses, examinedSince } = observedGraph();
    put('/a', {
      annotations: { text: '{"ownerReferences":[]}' },
      managedFields: [{ fieldsV1: { 'f:ownerReferences': {} } }],
    });
    remove('/a');
    expect(parses()).toBe(0);
    expect(examinedSince()).toEqual([]);
  });

  it('has an object examined when it comes with owners, and when they change', () => {
    const { put, examinedSince, graph } = observedGraph();
    put('/a', { ownerReferences: owned('x', 'y') });
    expect(examinedSince()).toEqual(['b /a']);
    put('/a', { ownerReferences: owned('x', 'y'), labels: { any: 'thing' } });
    expect(examinedSince()).toEqual([]);
    put('/a', { ownerReferences: owned('y', 'z') });
    expect(examinedSince()).toEqual(['b /a']);
    expect(['x', 'y', 'z'].map((uid) => graph.dependentsOf(uid).length)).toEqual([0, 1, 1]);
    put('/a', {});
    expect(examinedSince()).toEqual([]);
    expect(graph.dependentsOf('z')).toEqual([]);
  });

  it('has dependents examined when their owner is gone, whatever is in its place', () => {
    const { graph, put, remove, examinedSince } = observedGraph();
    put('/a', { ownerReferences: owned('uid-/o') });
    put('/b', { ownerReferences: owned('uid-/o', 'other') });
    put('/c', { ownerReferences: owned('other') });
    examinedSince();
    remove('/o');
    expect(examinedSince()).toEqual(['b /a', 'b /b']);
    expect(graph.hasGone('uid-/o')).toBe(true);
    expect(graph.hasGone('other')).toBe(false);
  });

  it('remembers owners that are gone as long as somebody names them', () => {
    const { graph, put, remove } = observedGraph();
    put('/a', { ownerReferences: owned('uid-/o', 'uid-/p') });
    put('/b', { ownerReferences: owned('uid-/o') });
    remove('/o');
    remove('/p');
    put('/a', { ownerReferences: [] });
    expect([graph.hasGone('uid-/o'), graph.hasGone('uid-/p')]).toEqual([true, false]);
    remove('/b');
    expect(graph.hasGone('uid-/o')).toBe(false);
  });

  it('has an owner and all its dependents examined when it begins to wait for them', () => {
    const { put, examinedSince, graph } = observedGraph();
    put('/a', { ownerReferences: owned('uid-/o') });
    examinedSince();
    put('/o', deleting('foregroundDeletion'));
    expect(examinedSince()).toEqual(['b /a', 'b /o']);
    expect(graph.isWaiting({ bucket: 'b', key: '/o', owners: [] })).toBe(true);
    put('/o', { ...deleting('foregroundDeletion'), labels: { any: 'thing' } });
    expect(examinedSince()).toEqual([]);
  });

  it('has a waiting owner examined when a dependent goes or changes its owners', () => {
    const { put, remove, examinedSince } = observedGraph();
    const [reference] = owned('uid-/o');
    const blocking = { ...reference, blockOwnerDeletion: true } as OwnerReference;
    put('/a', { ownerReferences: [blocking] });
    put('/b', { ownerReferences: [blocking] });
    put('/o', deleting('foregroundDeletion'));
    examinedSince();
    put('/a', { ownerReferences: [{ ...blocking, blockOwnerDeletion: false }] });
    expect(examinedSince()).toEqual(['b /a', 'b /o']);
    remove('/b', { ownerReferences: [blocking] });
    expect(examinedSince()).toEqual(['b /o']);
  });

  it('forgets a waiting owner when it is gone or replaced', () => {
    const { put, remove, examinedSince, graph } = observedGraph();
    put('/o', deleting('foregroundDeletion'));
    remove('/o', deleting('foregroundDeletion'));
    put('/p', deleting('foregroundDeletion'));
    put('/p', { uid: 'another', ...deleting('mine') });
    examinedSince();
    expect(graph.isWaiting({ bucket: 'b', key: '/o', owners: [] })).toBe(false);
    expect(graph.isWaiting({ bucket: 'b', key: '/p', owners: [] })).toBe(false);
    put('/a', { ownerReferences: owned('uid-/o', 'uid-/p') });
    put('/a', {});
    expect(examinedSince()).toEqual(['b /a']);
  });

  it('knows which dependents must go before their owner, but for those that wait for it themselves', () => {
    const { put, graph } = observedGraph();
    const blockedBy = (...uids: string[]) => owned(...uids).map((owner) => ({ ...owner, blockOwnerDeletion: true }));
    const wait = deleting('foregroundDeletion');
    put('/a', { ...wait, ownerReferences: blockedBy('uid-/c') });
    put('/b', { ...wait, ownerReferences: blockedBy('uid-/a') });
    put('/c', { ...wait, ownerReferences: blockedBy('uid-/b', 'uid-/c') });
    put('/d', { ...wait, ownerReferences: blockedBy('uid-/c') });
    put('/e', { ownerReferences: blockedBy('uid-/b') });
    put('/f', { ownerReferences: owned('uid-/a') });
    const blockers = (key: string) => graph.blockersOf(`uid-${key}`).map((dependent) => dependent.key);
    expect(['/a', '/b', '/c', '/d'].map(blockers)).toEqual([[], ['/e'], ['/d'], []]);
  });

  it('has an object examined that is to leave orphans', () => {
    const { put, examinedSince } = observedGraph();
    put('/o', deleting('orphan'));
    expect(examinedSince()).toEqual(['b /o']);
  });

  it('forgets the objects of a type that is not served any more', () => {
    const { put, graph, examinedSince } = observedGraph();
    put('/a', { ownerReferences: owned('x') });
    put('/o', deleting('foregroundDeletion'));
    graph.observe('bb', '/a', undefined);
    graph.removeBucket('b');
    examinedSince();
    expect(graph.dependentsOf('x')).toEqual([]);
    expect(graph.isWaiting({ bucket: 'b', key: '/o', owners: [] })).toBe(false);
  });
});
