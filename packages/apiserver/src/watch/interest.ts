import type { Entry, StoredEvent } from '../storage/types.ts';

export type EventType = StoredEvent['type'];

/**
 * What an event is to a watch that wants only some objects: one that starts to be wanted is added, one that stops is
 * deleted. Undefined: nothing.
 */
export function interestIn(event: StoredEvent, isWanted: (entry: Entry) => boolean): EventType | undefined {
  const after = event.type !== 'DELETED' && isWanted(event.entry);
  const before = event.previous !== undefined && isWanted(event.previous);
  if (after) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}
