import type { ApiObject } from '../objects/api-object.ts';
import { keyOf, type Strategy } from '../registry/served-resource.ts';
import { conflict, notFound } from '../status/status-error.ts';
import type { Entry } from '../storage/types.ts';
import type { Call, ObjectCall, Result, World } from './call.ts';
import { storeNext, storeNothing } from './commit.ts';
import { kubeTime } from './kube-time.ts';
import { requireMortalNamespace } from './namespace-check.ts';
import { viewObject } from './stored-view.ts';

/** What a client says about a deletion, in the body or in the query. */
export interface DeletionOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Whether the client asked, in the old way, not to wait for dependents: it is then told that it did not. */
  readonly isAsynchronous?: boolean;
}

/** Deletes an object, or marks it as being deleted while finalizers hold it. */
export async function deleteObject(world: World, call: ObjectCall, options: DeletionOptions): Promise<Result> {
  const { resource, name, namespace } = call;
  const entry = world.store.get(resource.bucket, keyOf(resource.namespaced ? namespace : undefined, name));
  if (!entry) throw notFound(resource, name);
  requireMortalNamespace(resource, name);
  const object = viewObject(entry, resource);
  requirePreconditions(call, object, options);
  const { strategy } = resource;
  if (!isUnderWay(object, strategy, options)) world.enforce?.(call, { operation: 'DELETE', old: object });
  const held = { ...object, metadata: { ...object.metadata } };
  const grace = strategy.gracePeriod?.(held, options.gracePeriodSeconds) ?? 0;
  setPropagation(held, options.propagation);
  addFinalizers(held, strategy.deletionFinalizers?.(held) ?? []);
  const mustWait = Boolean(held.metadata.finalizers?.length) || Boolean(strategy.holdsDeletion?.(held));
  if (!mustWait && grace === 0) return remove(world, call, entry, object);
  beginDeletion(held, grace, world.now(), strategy);
  const marked = await mark(world, call, entry, held);
  return { ...marked, code: options.isAsynchronous ? 202 : 200 };
}

/** Whether a deletion has begun already, so that this one changes nothing and policies are not asked again. */
function isUnderWay(object: ApiObject, strategy: Strategy, { gracePeriodSeconds: asked }: DeletionOptions): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  if (strategy.holdsDeletion?.(object)) return true;
  return strategy.gracePeriod !== undefined && (asked === undefined || asked >= before);
}

/** Sets when the object goes; a second deletion can only bring that forward. */
function beginDeletion(object: ApiObject, grace: number, now: Date, strategy: Strategy): void {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds: before = 0 } = metadata;
  if (deletionTimestamp !== undefined && before <= grace) return;
  metadata.deletionTimestamp = kubeTime(new Date(now.getTime() + grace * 1000));
  if (strategy.beginDeletion) {
    strategy.beginDeletion(object);
    return;
  }
  metadata.deletionGracePeriodSeconds = grace;
  if (deletionTimestamp === undefined && metadata.generation !== undefined) metadata.generation += 1;
}

function requirePreconditions(
  { resource, name }: ObjectCall,
  { metadata }: ApiObject,
  { uid, resourceVersion }: DeletionOptions,
): void {
  // Kubernetes names the kind here where other conflicts name the resource.
  const kind = { group: resource.group, resource: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const record = `the UID in record (${metadata.uid})`;
    const problem = `the UID in the precondition (${uid}) does not match ${record}. The object might have been deleted and then recreated`;
    throw conflict(kind, name, problem);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const record = `the ResourceVersion in record (${metadata.resourceVersion})`;
    const problem = `the ResourceVersion in the precondition (${resourceVersion}) does not match ${record}. The object might have been modified`;
    throw conflict(kind, name, problem);
  }
}

/** The garbage collector is told by finalizers what to do with dependents. */
function setPropagation({ metadata }: ApiObject, propagation: DeletionOptions['propagation']): void {
  if (propagation === undefined) return;
  const others = (metadata.finalizers ?? []).filter(
    (finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion',
  );
  const added = { Background: [], Foreground: ['foregroundDeletion'], Orphan: ['orphan'] }[propagation];
  metadata.finalizers = [...others, ...added];
  if (metadata.finalizers.length === 0) delete metadata.finalizers;
}

function addFinalizers({ metadata }: ApiObject, added: readonly string[]): void {
  if (added.length === 0) return;
  metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), ...added])];
}

async function mark(world: World, call: Call, entry: Entry, object: ApiObject): Promise<Result> {
  if (call.dryRun) return { code: 200, object };
  if (isUnchanged(entry, object)) {
    await world.store.durable(entry.revision);
    return { code: 200, object };
  }
  return { code: 200, entry: await storeNext(world, call, entry, object) };
}

function isUnchanged(entry: Entry, object: ApiObject): boolean {
  const before = entry.object().metadata;
  const { deletionTimestamp, finalizers } = object.metadata;
  return before.deletionTimestamp === deletionTimestamp && String(before.finalizers) === String(finalizers);
}

async function remove(world: World, call: ObjectCall, entry: Entry, object: ApiObject): Promise<Result> {
  const { resource, name } = call;
  if (!call.dryRun) await storeNothing(world, call, entry);
  if (resource.strategy.returnsDeleted) return { code: 200, object };
  const details = {
    name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.resource,
    uid: object.metadata.uid,
  };
  return { code: 200, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } };
}
