import { EventQueue } from './event-queue.ts';
import type { StoredEvent } from './types.ts';

/** How much history is kept; whichever is reached first. */
export interface HistoryLimit {
  /** Default 20 000. */
  readonly events?: number;
  /** Characters of JSON that only the history holds. Default 64 Mi. */
  readonly bytes?: number;
}

/** What an event costs besides its JSON. */
const EVENT_BYTES = 200;

/** The events since a revision, of all buckets and of each. */
export class History {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #all = new EventQueue();
  readonly #buckets = new Map<string, EventQueue>();
  #oldest: number;
  #bytes = 0;

  constructor(startRevision: number, { events = 20_000, bytes = 64 * 1024 * 1024 }: HistoryLimit = {}) {
    this.#oldest = startRevision;
    this.#maxEvents = events;
    this.#maxBytes = bytes;
  }

  /** All events after this revision are here. */
  get oldestRevision(): number {
    return this.#oldest;
  }

  append(event: StoredEvent): void {
    this.#all.push(event);
    const { bucket } = event.entry;
    const queue = this.#buckets.get(bucket) ?? new EventQueue();
    this.#buckets.set(bucket, queue);
    queue.push(event);
    this.#bytes += bytesHeldBy(event);
  }

  /** The events of a bucket after a revision, oldest first. */
  after(bucket: string, revision: number): StoredEvent[] {
    return this.#buckets.get(bucket)?.after(revision) ?? [];
  }

  /** Takes the latest event away, if it is newer than the revision. */
  takeNewest(newerThan: number): StoredEvent | undefined {
    const { last } = this.#all;
    if (!last || last.revision <= newerThan) return undefined;
    this.#all.pop();
    this.#buckets.get(last.entry.bucket)?.pop();
    this.#bytes -= bytesHeldBy(last);
    return last;
  }

  /** Forgets what is beyond the limits, but nothing newer than the revision. */
  trim(upTo: number): void {
    while (this.#all.length > this.#maxEvents || this.#bytes > this.#maxBytes) {
      const { first } = this.#all;
      if (!first || first.revision > upTo) return;
      this.#forgetFirst(first);
    }
  }

  /** Forgets everything up to a revision. */
  forget(upTo: number): void {
    for (let { first } = this.#all; first && first.revision <= upTo; { first } = this.#all) this.#forgetFirst(first);
    this.#oldest = Math.max(this.#oldest, upTo);
  }

  #forgetFirst(event: StoredEvent): void {
    this.#all.shift();
    const queue = this.#buckets.get(event.entry.bucket);
    queue?.shift();
    if (queue?.length === 0) this.#buckets.delete(event.entry.bucket);
    this.#bytes -= bytesHeldBy(event);
    this.#oldest = event.revision;
  }
}

/** The state after an event is live or held by the next event, so only what went before counts, and what a deletion made. */
function bytesHeldBy({ type, entry, previous }: StoredEvent): number {
  return EVENT_BYTES + (previous?.json.length ?? 0) + (type === 'DELETED' ? entry.json.length : 0);
}
