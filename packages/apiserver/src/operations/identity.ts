import type { ApiObject } from '../objects/api-object.ts';
import { badRequest } from '../status/status-error.ts';
import type { Call, ObjectCall } from './call.ts';

/** Refuses an object whose name is not the one of the path. */
export function requireName({ metadata }: ApiObject, { name }: ObjectCall): void {
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name === name) return;
  throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

/** Places an object where the path says, in place; refuses one that says otherwise. Objects of the cluster have no place. */
export function settleNamespace({ metadata }: ApiObject, { resource, namespace }: Call): void {
  if (!resource.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = namespace;
}
