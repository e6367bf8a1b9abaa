import { setImmediate as turn } from 'node:timers/promises';
import type { ApiObject, OwnerReference } from '../../objects/api-object.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { StoredEvent } from '../../storage/types.ts';
import { type ControllerContext, controllerLoop, type RunningController } from '../context.ts';
import { storedTypes } from '../types/stored-types.ts';
import { watchTypes } from '../types/watch-types.ts';
import { decideGarbage, type OwnerState, type SeenObject } from './decide.ts';
import { DependencyGraph } from './dependency-graph.ts';
import { idOf, placeOfId } from './dependent-index.ts';
import { createGarbageActions } from './garbage-actions.ts';
import { createInvalidOwnerReport } from './invalid-owners.ts';
import { createOwnerLookup } from './owner-lookup.ts';

/** How many stored objects are looked at in a row when the collector starts. */
const SCAN_BATCH = 1_000;

/** A collector at work; it decides about nothing before it has seen everything. */
export interface GarbageCollector extends RunningController {
  /** Resolves when all stored objects have been seen. */
  readonly scanned: Promise<void>;
}

/** Deletes objects whose owners are gone, and lets owners go before or after their dependents, as was asked. */
export function startGarbageCollector(context: ControllerContext): GarbageCollector {
  const { world, signal } = context;
  const { store } = world;
  const types = storedTypes(world.registry);
  const owners = createOwnerLookup(world);
  const loop = controllerLoop(context, 'garbage-collector', handle);
  /** Objects about which nothing could be decided; new types may change that. */
  const undecided = new Set<string>();
  /** What turned up before everything had been seen. */
  let early: Set<string> | undefined = new Set();
  const graph = new DependencyGraph((id) => {
    if (early) early.add(id);
    else loop.add(id);
  });
  const act = createGarbageActions(world, types, graph);
  const report = createInvalidOwnerReport(context);

  async function handle(id: string): Promise<void> {
    undecided.delete(id);
    const { bucket, key } = placeOfId(id);
    const type = types.inBucket(bucket);
    const object = store.get(bucket, key)?.object();
    if (!type || !object) return;
    const seen = look(object, id);
    const invalid = invalidOwners(seen);
    const verdict = decideGarbage(seen);
    if (verdict.do === 'leave') undecided.add(id);
    await act(verdict, type, object);
    for (const reference of invalid) await report(object, reference);
  }

  function look({ metadata }: ApiObject, id: string): SeenObject {
    const { uid = '', namespace, ownerReferences = [] } = metadata;
    const others = graph.dependentsOf(uid).filter(({ bucket, key }) => idOf(bucket, key) !== id);
    const someWait = others.some((dependent) => graph.isWaiting(dependent));
    return {
      metadata,
      owners: ownerReferences.map((reference) => ({ reference, state: stateOf(reference, namespace) })),
      dependents: someWait ? 'waiting' : others.length > 0 ? 'some' : 'none',
      isBlocked: metadata.deletionTimestamp !== undefined && graph.blockersOf(uid).length > 0,
    };
  }

  function stateOf(reference: OwnerReference, namespace: string | undefined): OwnerState {
    const state = owners.stateOf(reference, namespace);
    return state === 'unknown' && graph.hasGoneFrom(namespace, reference.uid) ? 'absent' : state;
  }

  function invalidOwners({ metadata, owners: named }: SeenObject): readonly OwnerReference[] {
    if (metadata.deletionTimestamp !== undefined) return [];
    return named
      .filter(({ state }) => state === 'absent' || state === 'misplaced')
      .map(({ reference }) => reference)
      .filter((reference) => !graph.hasGone(reference.uid) && owners.isElsewhere(reference, metadata.namespace));
  }

  function onEvent({ type, entry }: StoredEvent): void {
    if (type === 'DELETED') {
      undecided.delete(idOf(entry.bucket, entry.key));
      graph.observeGone(entry);
    }
    graph.observe(entry.bucket, entry.key, store.get(entry.bucket, entry.key));
  }

  function onAdded({ bucket }: ServedResource): void {
    for (const entry of store.scan(bucket)) graph.observe(bucket, entry.key, entry);
    for (const id of undecided) loop.add(id);
  }

  async function scan(): Promise<void> {
    for (const { bucket } of types.all().filter(isCollected)) {
      await scanBucket(bucket);
      if (signal.aborted) return;
    }
    const found = early ?? [];
    early = undefined;
    for (const id of found) loop.add(id);
  }

  async function scanBucket(bucket: string): Promise<void> {
    let after: string | undefined;
    do {
      const entries = store.scan(bucket, { after, limit: SCAN_BATCH });
      for (const entry of entries) graph.observe(bucket, entry.key, entry);
      after = entries.length === SCAN_BATCH ? entries.at(-1)?.key : undefined;
      if (entries.length > 0) await turn();
    } while (after !== undefined && !signal.aborted);
  }

  const onRemoved = (bucket: string) => graph.removeBucket(bucket);
  watchTypes(context, types, { wanted: isCollected, onEvent, onAdded, onRemoved });
  return { loop, scanned: scan() };
}

/** Events come in great numbers and own nothing. */
function isCollected({ resource, group }: ServedResource): boolean {
  return resource !== 'events' || (group !== '' && group !== 'events.k8s.io');
}
