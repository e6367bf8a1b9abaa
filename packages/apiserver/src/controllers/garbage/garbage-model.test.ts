import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject, OwnerReference } from '../../objects/api-object.ts';
import type { Store } from '../../storage/types.ts';
import { dyingStore, testWorld, type TestWorld } from '../testing/test-world.ts';
import { startGarbageCollector } from './garbage-collector.ts';

/** An owner that an object names: another object of the graph, itself, or something of an unknown kind. */
interface Edge {
  readonly to: number | 'unknown';
  readonly blocks: boolean;
}

interface Graph {
  readonly namespaces: readonly ('one' | 'two' | undefined)[];
  /** By object. */
  readonly edges: readonly (readonly Edge[])[];
}

/** What users do at the same time; orphaning is done alone, as its outcome depends on who comes first. */
type Phase =
  | { readonly do: 'delete'; readonly which: readonly { readonly object: number; readonly foreground: boolean }[] }
  | { readonly do: 'orphan'; readonly object: number };

/** The model: objects that are left, with the objects they name as owners. */
type State = Map<number, readonly (number | 'unknown')[]>;

const SIZE = 7;
const object = fc.nat({ max: SIZE - 1 });

const graphs: fc.Arbitrary<Graph> = fc
  .record({
    namespaces: fc.array(fc.constantFrom('one' as const, 'one' as const, 'two' as const, undefined), {
      minLength: SIZE,
      maxLength: SIZE,
    }),
    edges: fc.array(
      fc.uniqueArray(
        fc.record({
          to: fc.oneof({ weight: 12, arbitrary: object }, { weight: 1, arbitrary: fc.constant('unknown' as const) }),
          blocks: fc.boolean(),
        }),
        { maxLength: 3, selector: ({ to }) => to },
      ),
      { minLength: SIZE, maxLength: SIZE },
    ),
  })
  // Dependents that are left alone and block would keep their owners for ever, in Kubernetes, too.
  .map((graph) => ({
    ...graph,
    edges: graph.edges.map((edges, index) => {
      const isLeftAlone = isUnclear(
        graph,
        index,
        edges.map(({ to }) => to),
      );
      return isLeftAlone ? edges.map(({ to }) => ({ to, blocks: false })) : edges;
    }),
  }));

const phases: fc.Arbitrary<readonly Phase[]> = fc.array(
  fc.oneof(
    fc
      .uniqueArray(fc.record({ object, foreground: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
        selector: (it) => it.object,
      })
      .map((which) => ({ do: 'delete' as const, which })),
    object.map((object) => ({ do: 'orphan' as const, object })),
  ),
  { maxLength: 4 },
);

/** Who can be an owner: everyone outside namespaces, and neighbours. */
function canOwn({ namespaces }: Graph, owner: number, dependent: number): boolean {
  return namespaces[owner] === undefined || namespaces[owner] === namespaces[dependent];
}

/** Objects with an owner that cannot be judged are left alone. */
function isUnclear(graph: Graph, dependent: number, owners: readonly (number | 'unknown')[]): boolean {
  const isOutside = graph.namespaces[dependent] === undefined;
  return owners.some((owner) => owner === 'unknown' || (isOutside && !canOwn(graph, owner, dependent)));
}

function collect(graph: Graph, state: State): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [dependent, owners] of state) {
      if (owners.length === 0 || isUnclear(graph, dependent, owners)) continue;
      const solid = owners.filter(
        (owner) => owner !== 'unknown' && state.has(owner) && canOwn(graph, owner, dependent),
      );
      if (solid.length === owners.length) continue;
      isChanged = true;
      if (solid.length === 0) state.delete(dependent);
      else state.set(dependent, solid);
    }
  }
}

function expected(graph: Graph, phases: readonly Phase[]): State {
  const state: State = new Map(graph.edges.map((edges, index) => [index, edges.map(({ to }) => to)]));
  collect(graph, state);
  for (const phase of phases) {
    if (phase.do === 'delete') for (const { object } of phase.which) state.delete(object);
    else if (state.delete(phase.object)) {
      for (const [dependent, owners] of state)
        state.set(
          dependent,
          owners.filter((owner) => owner !== phase.object),
        );
    }
    collect(graph, state);
  }
  return state;
}

const nameOf = (index: number) => `object-${index}`;
const resourceOf = ({ namespaces }: Graph, index: number) => (namespaces[index] === undefined ? 'zones' : 'configmaps');

async function build(cluster: TestWorld, graph: Graph): Promise<void> {
  for (const name of ['one', 'two']) await cluster.create('namespaces', { name });
  const objects: ApiObject[] = [];
  for (const [index, namespace] of graph.namespaces.entries()) {
    objects.push(await cluster.create(resourceOf(graph, index), { name: nameOf(index), namespace }));
  }
  const referenceTo = ({ to, blocks }: Edge): OwnerReference => {
    const unknown = { apiVersion: 'no.where/v1', kind: 'Unknown', metadata: { name: 'x', uid: 'x' } };
    const { apiVersion, kind, metadata } = (to === 'unknown' ? undefined : objects[to]) ?? unknown;
    return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', blockOwnerDeletion: blocks };
  };
  for (const [index, edges] of graph.edges.entries()) {
    const ownerReferences = edges.map(referenceTo) as never;
    await cluster.patch(
      resourceOf(graph, index),
      nameOf(index),
      { metadata: { ownerReferences } },
      graph.namespaces[index],
    );
  }
}

function observed(cluster: TestWorld, graph: Graph): State {
  const uids = new Map<string, number>();
  const left: [number, ApiObject][] = [];
  for (const [index, namespace] of graph.namespaces.entries()) {
    const found = cluster.read(resourceOf(graph, index), nameOf(index), namespace);
    if (found) left.push([index, found]);
    if (found) uids.set(found.metadata.uid ?? '', index);
  }
  const ownersOf = ({ metadata }: ApiObject) =>
    (metadata.ownerReferences ?? []).map(
      ({ uid, name }) => uids.get(uid) ?? (uid === 'x' ? 'unknown' : Number(name.slice(-1))),
    );
  return new Map(left.map(([index, found]) => [index, ownersOf(found)]));
}

/** Runs a collector until it is done or, if the store dies, as good as. */
async function collectFor(cluster: TestWorld, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const { scanned, loop } = startGarbageCollector(cluster.context(stop.signal));
  await work();
  await scanned;
  await loop.idle();
  stop.abort();
  await loop.stop();
}

async function act(cluster: TestWorld, graph: Graph, phase: Phase): Promise<void> {
  const remove = async (index: number, propagation: 'Background' | 'Foreground' | 'Orphan') => {
    const [resource, namespace] = [resourceOf(graph, index), graph.namespaces[index]];
    if (!cluster.read(resource, nameOf(index), namespace)) return;
    await cluster.remove(resource, nameOf(index), namespace, { propagation });
  };
  if (phase.do === 'orphan') return remove(phase.object, 'Orphan');
  await Promise.all(
    phase.which.map(({ object, foreground }) => remove(object, foreground ? 'Foreground' : 'Background')),
  );
}

describe('any graph of owners', () => {
  it('ends as the model says, whatever is deleted in whatever way', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, phases, async (graph, steps) => {
        const cluster = await testWorld();
        await build(cluster, graph);
        await collectFor(cluster, async () => {});
        for (const step of steps) await collectFor(cluster, () => act(cluster, graph, step));
        expect(observed(cluster, graph)).toEqual(expected(graph, steps));
        const { revision } = cluster.store;
        await collectFor(cluster, async () => {});
        expect(cluster.store.revision).toBe(revision);
      }),
      { numRuns: 300 },
    );
  });

  it('ends so, too, when the collector is killed between any two of its writes', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, phases, fc.nat({ max: 12 }), async (graph, steps, writes) => {
        const cluster = await testWorld();
        await build(cluster, graph);
        await killedAfter(cluster.store, writes);
        await collectFor(cluster, async () => {});
        for (const step of steps) {
          await act(cluster, graph, step);
          await killedAfter(cluster.store, writes);
          await collectFor(cluster, async () => {});
        }
        expect(observed(cluster, graph)).toEqual(expected(graph, steps));
      }),
      { numRuns: 150 },
    );
  });
});

async function killedAfter(store: Store, writes: number): Promise<void> {
  await collectFor(await testWorld(dyingStore(store, writes)), async () => {});
}
