import type { ApiObject } from '../objects/api-object.ts';
import { difference, hasPath, setOfOne } from './field-set.ts';
import { withManagedFields } from './managed-fields.ts';
import { type Owner, ownerId, type Owners, readOwners, writeOwners } from './owner.ts';
import { fieldElement } from './path-element.ts';
import { managerName } from './update-owners.ts';

export interface TrackScaleOptions {
  /** The object that was scaled, with its new number of replicas, and its managedFields as they were. */
  readonly scaled: ApiObject;
  /** Version of the request, as apiVersion of the object. */
  readonly apiVersion: string;
  /** Where each version has its replicas, by apiVersion: `.spec.replicas`. Other versions are forgotten. */
  readonly replicasPaths: ReadonlyMap<string, string>;
  readonly manager: string;
}

/**
 * The object with its managedFields after its replicas were changed through the scale subresource: they belong to the
 * one who did, and to nobody else. Such entries have no time in Kubernetes either.
 */
export function trackScale({ scaled, apiVersion, replicasPaths, manager }: TrackScaleOptions): ApiObject {
  const result = new Map<string, Owner>();
  for (const [id, owner] of readOrNone(scaled)) {
    const path = elementsOf(replicasPaths.get(owner.apiVersion));
    if (path === undefined) continue;
    const fields = hasPath(owner.fields, path) ? difference(owner.fields, setOfOne(path)) : owner.fields;
    if (fields === owner.fields) result.set(id, owner);
    else if (fields.size > 0) result.set(id, { ...owner, fields, fieldsV1: undefined });
  }
  const path = elementsOf(replicasPaths.get(apiVersion));
  if (path === undefined) return withManagedFields(scaled, writeOwners(result));
  const identity = { manager: managerName(manager), operation: 'Update', apiVersion, subresource: 'scale' } as const;
  result.set(ownerId(identity), { ...identity, time: undefined, fields: setOfOne(path) });
  return withManagedFields(scaled, writeOwners(result));
}

function elementsOf(path: string | undefined): string[] | undefined {
  return path?.replace(/^\./, '').split('.').map(fieldElement);
}

function readOrNone(object: ApiObject): Owners {
  try {
    return readOwners(object.metadata.managedFields);
  } catch {
    // Garbage, whoever wrote it, is as good as nothing.
    return new Map();
  }
}
