import type { ApiObject, OwnerReference } from '../../objects/api-object.ts';
import { keyOf } from '../../registry/served-resource.ts';
import { StatusError } from '../../status/status-error.ts';
import { controllerActor, createSystemCaller } from '../caller/system-caller.ts';
import type { ControllerContext } from '../context.ts';
import { invalidOwnerEvent } from './invalid-owner-event.ts';

/** Tells users, by an Event, that an object names an owner that cannot be its owner because of where it is. */
export type ReportInvalidOwner = (object: ApiObject, reference: OwnerReference) => Promise<void>;

export function createInvalidOwnerReport({ world, log }: ControllerContext): ReportInvalidOwner {
  const caller = createSystemCaller(world, controllerActor('generic-garbage-collector'));
  return async (object, reference) => {
    const type = world.registry.find('', 'v1', 'events');
    const event = invalidOwnerEvent(object, reference, world.now());
    const { name = '', namespace } = event.metadata;
    if (!type || world.store.get(type.bucket, keyOf(namespace, name))) return;
    try {
      await caller.create(type, event);
    } catch (error) {
      // Events are a courtesy: nothing waits for them to succeed.
      if (!(error instanceof StatusError)) throw error;
      log.warn({ event: name, namespace, problem: error.message }, 'an event could not be written');
    }
  };
}
