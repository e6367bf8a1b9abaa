import { randomUUID } from 'node:crypto';
import { trackUpdate } from '../apply/track-update.ts';
import { generateName } from '../metadata/generate-name.ts';
import { metadataProblems } from '../metadata/validate-metadata.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { keyOf } from '../registry/served-resource.ts';
import { alreadyExists, internalError, invalid, StatusError } from '../status/status-error.ts';
import type { Call, Result, World } from './call.ts';
import { type Body, decodeObject } from './decode-object.ts';
import { requireLivingDefinition } from './definition-check.ts';
import { settleNamespace } from './identity.ts';
import { requireLivingNamespace } from './namespace-check.ts';
import { requireStorable } from './storable.ts';
import { storedForm } from './stored-form.ts';
import { isCurrent } from './stored-view.ts';
import { kubeTime } from './kube-time.ts';

/** Stores a new object sent by a client. */
export async function create(world: World, call: Call, body: Body): Promise<Result> {
  const object = decodeObject(body, call, world.registry);
  const track = (ready: ApiObject) =>
    trackUpdate({
      scope: call.resource.ownership(undefined),
      updated: ready,
      manager: call.fieldManager,
      now: world.now(),
    });
  return createObject(world, call, { object, track, madeOf: body.bytes?.length ?? 0 });
}

/** An object that has been worked out but not checked or stored. */
export interface NewObject {
  /** It is changed in place. */
  readonly object: ApiObject;
  /** Adds the ownership of fields once everything else is settled. */
  readonly track: (object: ApiObject) => ApiObject;
  /** Bytes that the client sent. */
  readonly madeOf: number;
}

/** Checks and stores a new object however it came about. */
export async function createObject(world: World, call: Call, { object, track, madeOf }: NewObject): Promise<Result> {
  const { resource } = call;
  settleNamespace(object, call);
  nameIt(object);
  requireLivingNamespace(world, call, object.metadata.name ?? '');
  requireLivingDefinition(world, call, object.metadata.name ?? '');
  stamp(object, call, world.now());
  resource.strategy.prepareCreate?.(object);
  resource.schema?.applyDefaults(object);
  world.admit?.(call, object, undefined);
  const causes = [
    ...metadataProblems(object, resource),
    ...(resource.schema?.validate(object) ?? []),
    ...(resource.strategy.validateCreate?.(object) ?? []),
  ];
  const name = object.metadata.name ?? '';
  if (causes.length > 0) throw invalid(resource.group, resource.kind, name, causes);
  if (object.metadata.resourceVersion) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const tracked = track(object);
  const key = keyOf(resource.namespaced ? call.namespace : undefined, name);
  if (world.store.get(resource.bucket, key)) throw alreadyExists(resource, name);
  requireStorable(tracked, madeOf);
  if (call.dryRun) return { code: 201, object: tracked };
  const stored = storedForm(tracked, resource);
  const written = world.store.commit({ bucket: resource.bucket, key, object: stored, expected: 0 });
  if (!written) throw internalError('the object appeared while it was being created');
  const entry = await written;
  isCurrent(entry, resource);
  return { code: 201, entry };
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
