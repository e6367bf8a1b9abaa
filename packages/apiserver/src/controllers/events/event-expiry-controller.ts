import { removeEntries } from '../caller/remove-entries.ts';
import { API_SERVER, createSystemCaller } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';
import { EVENT_LIFE_MS, expiryOf } from './expiry.ts';

/** All events are looked at together, and not more often than this. */
const SHORTEST_PAUSE_MS = 60_000;

/** Forgets events that are too old to be of interest. */
export function startEventExpiryController(context: ControllerContext): RunningController {
  const { world } = context;
  const { store } = world;
  const caller = createSystemCaller(world, API_SERVER);
  const type = world.registry.require('', 'v1', 'events');
  const loop = controllerLoop(context, 'event-expiry', handle);

  async function handle(): Promise<void> {
    const now = world.now().getTime();
    const dated = store.scan(type.bucket).map((entry) => ({ entry, left: expiryOf(entry.object()) - now }));
    const expired = dated.filter(({ left }) => left <= 0).map(({ entry }) => entry);
    await removeEntries(caller, type, expired);
    const next = dated.reduce((soonest, { left }) => (left > 0 ? Math.min(soonest, left) : soonest), Infinity);
    lookAgainIn(next);
  }

  function lookAgainIn(milliseconds: number): void {
    if (Number.isFinite(milliseconds)) loop.addAfter('all', Math.max(milliseconds, SHORTEST_PAUSE_MS));
  }

  const heard = store.watch(type.bucket, store.revision, (event) => {
    if (event.type === 'ADDED') lookAgainIn(EVENT_LIFE_MS);
  });
  onStop(context, heard);
  loop.add('all');
  return { loop };
}
