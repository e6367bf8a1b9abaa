import { randomUUID } from 'node:crypto';
import { withManagedFields } from '../apply/managed-fields.ts';
import { generateName } from '../metadata/generate-name.ts';
import { metadataProblems } from '../metadata/validate-metadata.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { requireWithinQuota } from '../quota/require-within-quota.ts';
import { keyOf, storedGroup } from '../registry/served-resource.ts';
import { alreadyExists, invalid, StatusError } from '../status/status-error.ts';
import type { Call, Result, World } from './call.ts';
import { storeNew } from './commit.ts';
import { type Body, decodeObject } from './decode-object.ts';
import { requireLivingDefinition } from './definition-check.ts';
import { settleNamespace } from './identity.ts';
import { requireLivingNamespace } from './namespace-check.ts';
import { trackedBy } from './tracked.ts';
import { kubeTime } from './kube-time.ts';

/** Stores a new object sent by a client. */
export async function create(world: World, call: Call, body: Body): Promise<Result> {
  return createSent(world, call, decodeObject(body, call, world.registry));
}

/** Stores a new object that has been read from the body of a request. */
export function createSent(world: World, call: Call, object: ApiObject): Promise<Result> {
  const track = trackedBy(world, { ...call, subresource: undefined }, undefined);
  return createObject(world, call, { object, track });
}

/** An object that has been worked out but not checked or stored. */
export interface NewObject {
  /** It is changed in place. */
  readonly object: ApiObject;
  /** Adds the ownership of fields once the defaults are there. */
  readonly track: (object: ApiObject) => ApiObject;
}

/** Checks and stores a new object however it came about. */
export async function createObject(world: World, call: Call, { object, track }: NewObject): Promise<Result> {
  const { resource } = call;
  settleNamespace(object, call);
  nameIt(object);
  requireLivingNamespace(world, call, object.metadata.name ?? '');
  requireLivingDefinition(world, call, object.metadata.name ?? '');
  stamp(object, call, world.now());
  resource.schema?.applyDefaults(object);
  // What the server itself adds from here on belongs to nobody.
  const { managedFields } = track(object).metadata;
  resource.strategy.prepareCreate?.(object);
  world.admit?.(call, object, undefined);
  const causes = [
    ...metadataProblems(object, resource),
    ...(resource.schema?.validate(object) ?? []),
    ...(resource.strategy.validateCreate?.(object) ?? []),
  ];
  const name = object.metadata.name ?? '';
  if (causes.length > 0) throw invalid(storedGroup(resource), resource.kind, name, causes);
  for (const text of resource.strategy.warnings?.(object) ?? []) call.warn(text);
  const tracked = withManagedFields(object, managedFields);
  world.enforce?.({ ...call, name }, { operation: 'CREATE', object: tracked });
  requireWithinQuota(world.store, call, name);
  if (object.metadata.resourceVersion) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const key = keyOf(resource.namespaced ? call.namespace : undefined, name);
  if (world.store.get(resource.bucket, key)) throw alreadyExists(resource, name);
  if (call.dryRun) return { code: 201, object: tracked };
  return { code: 201, entry: await storeNew(world, call, key, tracked) };
}

function nameIt({ metadata }: ApiObject): void {
  if (!metadata.name && metadata.generateName) metadata.name = generateName(metadata.generateName);
}

/** What only the server sets. */
function stamp(object: ApiObject, { resource }: Call, now: Date): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete (metadata as Record<string, unknown>)['selfLink'];
  if (resource.hasStatus) delete object['status'];
  metadata.uid = randomUUID();
  metadata.creationTimestamp = kubeTime(now);
  if (resource.strategy.tracksGeneration) metadata.generation = 1;
}
