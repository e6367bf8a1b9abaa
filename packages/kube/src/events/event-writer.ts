import { isKubeError } from '../errors/kube-error.ts';
import type { CoreEvent } from '../objects/core.ts';
import type { ObjectRef } from '../objects/meta.ts';
import type { Clock } from '../clock/clock.ts';
import type { ResourceClient } from '../resources/types.ts';
import { identityOf } from './compose-event.ts';
import { createRecentMap } from './recent-map.ts';

/** Writes an Event: creates it, or adds its count to the same one written a while ago. Throws when that fails. */
export type EventWriter = (event: CoreEvent, signal: AbortSignal) => Promise<'created' | 'counted'>;

export interface EventWriterOptions {
  readonly events: ResourceClient<CoreEvent>;
  readonly clock: Clock;
  /** Milliseconds after the last occurrence within which the same event is counted up. */
  readonly windowMs: number;
}

/** A writer that remembers what it wrote lately. */
export function createEventWriter({ events, clock, windowMs }: EventWriterOptions): EventWriter {
  const written = createRecentMap<Written>(rememberedEvents);

  return async (event, signal) => {
    const identity = identityOf(event);
    const before = written.get(identity);
    if (before !== undefined && clock.now() - before.at <= windowMs && (await countUp(before, event, signal))) {
      return 'counted';
    }
    await create(event, signal);
    written.set(identity, { ref: refOf(event), count: event.count ?? 1, at: clock.now() });
    return 'created';
  };

  /** False when the Event is gone: servers remove them after an hour or so. */
  async function countUp(before: Written, event: CoreEvent, signal: AbortSignal): Promise<boolean> {
    const count = before.count + (event.count ?? 1);
    const patch = { count, lastTimestamp: event.lastTimestamp };
    try {
      await events.patch(before.ref, { type: 'merge', patch }, { signal, timeoutMs });
    } catch (error) {
      if (isKubeError(error, 'KUBE_NOT_FOUND')) return false;
      throw error;
    }
    written.set(identityOf(event), { ...before, count, at: clock.now() });
    return true;
  }

  async function create(event: CoreEvent, signal: AbortSignal): Promise<void> {
    try {
      await events.create(event, { signal, timeoutMs });
    } catch (error) {
      // Names are unique, so this is our own Event whose answer was lost.
      if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    }
  }
}

interface Written {
  readonly ref: ObjectRef;
  readonly count: number;
  readonly at: number;
}

const rememberedEvents = 4_096;
const timeoutMs = 10_000;

function refOf({ metadata: { name = '', namespace } }: CoreEvent): ObjectRef {
  return { name, namespace };
}
