import { entryAtRevision } from '../storage/index.ts';
import type { StoredEvent } from '../storage/types.ts';
import type { EventType } from './interest.ts';
import type { Shape } from './shape.ts';

/** What watches ask for in one go is within the last few events; more would only cost memory. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_EVENTS = 1_000;

/** The bytes of recent events, made once for all watches that want them in the same shape. */
export class EventTexts {
  readonly #events = new Map<StoredEvent, Map<string, Buffer>>();
  #bytes = 0;

  /** The line that tells a client of an event, as what its watch takes it for. */
  of(event: StoredEvent, type: EventType, shape: Shape, isFirst: boolean): Buffer {
    const variant = `${type} ${isFirst && shape.firstIsDifferent ? 'first ' : ''}${shape.id}`;
    const known = this.#events.get(event)?.get(variant);
    if (known) return known;
    const made = Buffer.from(eventText(event, type, shape, isFirst));
    this.#remember(event, variant, made);
    return made;
  }

  #remember(event: StoredEvent, variant: string, bytes: Buffer): void {
    const variants = this.#events.get(event) ?? new Map<string, Buffer>();
    this.#events.set(event, variants);
    variants.set(variant, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, forgotten] of this.#events) {
      if (this.#bytes <= MAX_BYTES && this.#events.size <= MAX_EVENTS) return;
      this.#events.delete(oldest);
      for (const { length } of forgotten.values()) this.#bytes -= length;
    }
  }
}

/** One line of a watch's stream. */
export function lineOf(type: EventType | 'BOOKMARK' | 'ERROR', objectJson: string): string {
  return `{"type":"${type}","object":${objectJson}}\n`;
}

function eventText(event: StoredEvent, type: EventType, shape: Shape, isFirst: boolean): string {
  const { entry, previous, revision } = event;
  // An object that is not wanted any more is shown as it was when it still was, but at the revision of the change.
  const hasLeft = type === 'DELETED' && event.type !== 'DELETED' && previous !== undefined;
  return lineOf(type, shape.object(hasLeft ? entryAtRevision(previous, revision) : entry, isFirst));
}
