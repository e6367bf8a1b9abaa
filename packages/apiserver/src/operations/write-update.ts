import { goQuote } from '@klutch/cel';
import type { Change, ReviewedObject } from '../admission/admission-attributes.ts';
import { managedFieldsCauses } from '../metadata/field-manager.ts';
import { metadataUpdateProblems } from '../metadata/validate-metadata.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { apiVersionOf, storedGroup, type Strategy } from '../registry/served-resource.ts';
import type { Entry } from '../storage/types.ts';
import { conflict, type FieldCause, invalid, StatusError } from '../status/status-error.ts';
import type { ObjectCall, Result, World } from './call.ts';
import { storeNext, storeNothing } from './commit.ts';
import { settleNamespace } from './identity.ts';
import { sameContent, sameSpec } from './same-content.ts';

export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** A change that has been worked out but not checked or stored. */
export interface Update {
  /** State before. */
  readonly entry: Entry;
  readonly old: ApiObject;
  /** State wanted, in the version of the call. It is changed in place. */
  readonly wanted: ApiObject;
  /** Adds the ownership of fields once everything else is settled. */
  readonly track: (object: ApiObject) => ApiObject;
  /** What policies see instead, where a subresource shows the object as another kind. */
  readonly shown?: {
    readonly subresource: string;
    readonly kind: NonNullable<Change['kind']>;
    readonly of: (object: ApiObject) => ReviewedObject;
  };
}

/** Checks and stores a change of an object; removes the object when the change took away what kept it from being deleted. */
export async function writeUpdate(world: World, call: ObjectCall, update: Update): Promise<Result> {
  const { resource, name } = call;
  const { entry, old, wanted } = update;
  resource.schema?.applyDefaults(wanted);
  world.admit?.(call, wanted, old);
  requireUnchanged(call, wanted, old);
  settleNamespace(wanted, call);
  keepSystemFields(call, wanted, old);
  if (call.subresource === undefined) resource.strategy.prepareUpdate?.(wanted, old);
  countGeneration(call, wanted, old);
  const causes = [
    ...metadataUpdateProblems(wanted, old, resource),
    ...schemaProblems(call, wanted, old),
    ...(updateRule(call)?.(wanted, old) ?? []),
  ];
  const tracked = update.track(wanted);
  causes.push(...managedFieldsCauses(tracked.metadata.managedFields ?? []));
  if (causes.length > 0) throw invalid(storedGroup(resource), resource.kind, name, causes);
  if (call.subresource === undefined)
    for (const text of resource.strategy.warnings?.(wanted, old) ?? []) call.warn(text);
  enforce(world, call, update, tracked);
  if (sameContent(tracked, old)) {
    // The state may be that of a write whose own answer still waits for the journal.
    await world.store.durable(entry.revision);
    return { code: 200, entry };
  }
  if (call.dryRun)
    return {
      code: 200,
      object: { ...tracked, metadata: { ...tracked.metadata, resourceVersion: old.metadata.resourceVersion } },
    };
  if (isFree(tracked, resource.strategy)) {
    await storeNothing(world, call, entry);
    return { code: 200, object: tracked };
  }
  return { code: 200, entry: await storeNext(world, call, entry, tracked) };
}

function enforce(world: World, call: ObjectCall, { old, shown }: Update, object: ApiObject): void {
  if (!shown) {
    world.enforce?.(call, { operation: 'UPDATE', object, old });
    return;
  }
  const { subresource, kind, of } = shown;
  world.enforce?.({ ...call, subresource }, { operation: 'UPDATE', object: of(object), old: of(old), kind });
}

/** A write to the status is held to the schema of the status alone. */
function schemaProblems(
  { resource: { schema }, subresource, warn }: ObjectCall,
  wanted: ApiObject,
  old: ApiObject,
): readonly FieldCause[] {
  if (!schema) return [];
  return subresource === 'status' ? schema.validateStatus(wanted, old, warn) : schema.validate(wanted, old, warn);
}

function updateRule({ resource: { strategy }, subresource }: ObjectCall): Strategy['validateUpdate'] {
  return subresource === 'status' ? strategy.validateStatusUpdate : strategy.validateUpdate;
}

function requireUnchanged({ resource, name }: ObjectCall, wanted: ApiObject, old: ApiObject): void {
  const { resourceVersion } = wanted.metadata;
  if (!resourceVersion) return;
  if (!/^\d+$/.test(resourceVersion)) {
    const quoted = goQuote(resourceVersion);
    throw new StatusError(500, '', `strconv.ParseUint: parsing ${quoted}: invalid syntax`);
  }
  if (resourceVersion !== old.metadata.resourceVersion) throw conflict(resource, name, modified);
}

/** Restores what clients cannot change through this endpoint. */
function keepSystemFields({ resource, subresource }: ObjectCall, wanted: ApiObject, old: ApiObject): void {
  wanted.apiVersion = apiVersionOf(resource);
  wanted.kind = resource.kind;
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } =
    old.metadata;
  const { managedFields, uid: sentUid } = wanted.metadata;
  if (subresource === 'status') wanted.metadata = { ...old.metadata, ...(managedFields ? { managedFields } : {}) };
  assign(wanted.metadata, {
    uid: subresource === 'status' ? uid : sentUid || uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    resourceVersion,
  });
  delete (wanted.metadata as Record<string, unknown>)['selfLink'];
  if (!resource.hasStatus) return;
  if (subresource === 'status') restoreAllBut(wanted, old, 'status');
  else restore(wanted, old, 'status');
}

function assign(target: object, fields: object): void {
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) delete (target as Record<string, unknown>)[key];
    else (target as Record<string, unknown>)[key] = value;
  }
}

function restore(wanted: ApiObject, old: ApiObject, field: string): void {
  if (old[field] === undefined) delete wanted[field];
  else wanted[field] = old[field];
}

function restoreAllBut(wanted: ApiObject, old: ApiObject, field: string): void {
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(old)])) {
    if (key !== field && key !== 'metadata' && key !== 'apiVersion' && key !== 'kind') restore(wanted, old, key);
  }
}

function countGeneration({ resource, subresource }: ObjectCall, wanted: ApiObject, old: ApiObject): void {
  if (!resource.strategy.tracksGeneration || subresource === 'status') return;
  if (!sameSpec(wanted, old, resource.hasStatus)) wanted.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Whether an object that is being deleted has nothing left that holds it. */
function isFree(
  object: ApiObject,
  { holdsDeletion }: { readonly holdsDeletion?: (object: ApiObject) => boolean },
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  const isDue = deletionTimestamp !== undefined && !deletionGracePeriodSeconds;
  return isDue && !finalizers?.length && !holdsDeletion?.(object);
}
