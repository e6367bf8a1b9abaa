import { trackUpdate } from '../apply/track-update.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Call, World } from './call.ts';

/**
 * Adds the ownership of fields to an object that is created or updated by other means than apply.
 *
 * @param live state before; undefined when the object is new
 */
export function trackedBy(world: World, call: Call, live: ApiObject | undefined): (updated: ApiObject) => ApiObject {
  const { resource, subresource, fieldManager: manager } = call;
  return (updated) => trackUpdate({ scope: resource.ownership(subresource), live, updated, manager, now: world.now() });
}
