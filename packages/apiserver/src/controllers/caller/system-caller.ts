import { serviceAccountGroups, serviceAccountUsername } from '../../authn/service-account-user.ts';
import type { User } from '../../authn/user.ts';
import type { ApiObject, Json } from '../../objects/api-object.ts';
import { apply } from '../../operations/apply.ts';
import type { ObjectCall, Result, World } from '../../operations/call.ts';
import { create } from '../../operations/create.ts';
import { deleteObject, type DeletionOptions } from '../../operations/delete.ts';
import { patch } from '../../operations/patch.ts';
import { replace } from '../../operations/replace.ts';
import type { ServedResource } from '../../registry/served-resource.ts';

/** A part of the server that writes objects by itself. */
export interface Actor {
  readonly user: User;
  /** Under which name its writes appear in managedFields. */
  readonly fieldManager: string;
}

/** What kube-apiserver does without being asked. */
export const API_SERVER: Actor = {
  user: { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
  fieldManager: 'kube-apiserver',
};

/** A controller of kube-controller-manager. */
export function controllerActor(name: string): Actor {
  const namespace = 'kube-system';
  const groups = [...serviceAccountGroups(namespace), 'system:authenticated'];
  return { user: { name: serviceAccountUsername(namespace, name), groups }, fieldManager: 'kube-controller-manager' };
}

/** Where an object is. */
export interface Place {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Writes objects by the operations that clients use, so that the same rules hold. Every write is in memory when the call
 * returns, if it is made at all; the promise is about its safety, as that of the store.
 */
export interface SystemCaller {
  create(resource: ServedResource, object: ApiObject): Promise<Result>;
  replace(resource: ServedResource, object: ApiObject, subresource?: string): Promise<Result>;
  mergePatch(resource: ServedResource, place: Place, value: Json): Promise<Result>;
  /** Server-side apply that takes over what others own; under a manager of its own when one is named. */
  apply(resource: ServedResource, object: ApiObject, fieldManager?: string): Promise<Result>;
  remove(resource: ServedResource, place: Place, options?: DeletionOptions): Promise<Result>;
}

export function createSystemCaller(everything: World, actor: Actor): SystemCaller {
  // Controllers are clients like others, but no policy may keep the server itself from working.
  const world = actor === API_SERVER ? { ...everything, enforce: undefined } : everything;
  const callFor = (resource: ServedResource, place: Place, more: Partial<ObjectCall> = {}): ObjectCall => ({
    resource,
    namespace: place.namespace,
    name: place.name,
    user: actor.user,
    dryRun: false,
    fieldManager: actor.fieldManager,
    fieldValidation: 'Ignore',
    warn: () => {},
    ...more,
  });
  return {
    create: (resource, object) => create(world, callFor(resource, placeOf(object)), bodyOf(object)),
    replace: (resource, object, subresource) =>
      replace(world, callFor(resource, placeOf(object), { subresource }), bodyOf(object)),
    mergePatch: (resource, place, value) => patch(world, callFor(resource, place), 'merge', { value, duplicates: [] }),
    apply: (resource, object, fieldManager = actor.fieldManager) =>
      apply(world, callFor(resource, placeOf(object), { fieldManager }), bodyOf(object), true),
    remove: (resource, place, options = {}) => deleteObject(world, callFor(resource, place), options),
  };
}

/** Where an object says it is. */
export function placeOf({ metadata: { namespace, name = '' } }: ApiObject): Place {
  return { namespace, name };
}

/** Where the object of a storage key is. */
export function placeOfKey(key: string): Place {
  const end = key.indexOf('/');
  return { namespace: key.slice(0, end) || undefined, name: key.slice(end + 1) };
}

/** As a client would send it: fields that are undefined are not there, and nothing is shared. */
function bodyOf(object: ApiObject) {
  return { value: JSON.parse(JSON.stringify(object)) as Json, duplicates: [] };
}
