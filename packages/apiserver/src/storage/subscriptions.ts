import type { StoredEvent } from './types.ts';

type Listener = (event: StoredEvent) => void;

interface Subscription {
  readonly listener: Listener;
  /** Events up to here are none of its business, or in the backlog already. */
  readonly liveAfter: number;
  active: boolean;
  /** Events still to be delivered before live ones may be. */
  backlog: StoredEvent[] | undefined;
}

/** Who listens to which bucket. */
export class Subscriptions {
  readonly #buckets = new Map<string, Set<Subscription>>();

  /**
   * Adds a listener for events after `liveAfter`; it hears the given past ones first, soon but not at once.
   * Returns how to end it.
   */
  add(bucket: string, liveAfter: number, past: StoredEvent[], listener: Listener): () => void {
    const subscription: Subscription = { listener, liveAfter, active: true, backlog: undefined };
    const subscribers = this.#buckets.get(bucket) ?? new Set();
    this.#buckets.set(bucket, subscribers);
    subscribers.add(subscription);
    const end = () => {
      subscription.active = false;
      subscribers.delete(subscription);
      if (subscribers.size === 0 && this.#buckets.get(bucket) === subscribers) this.#buckets.delete(bucket);
    };
    if (past.length > 0) {
      subscription.backlog = past;
      queueMicrotask(() => deliverBacklog(subscription));
    }
    return end;
  }

  /** Tells everyone who listens to the event's bucket. */
  deliver(event: StoredEvent): void {
    const subscribers = this.#buckets.get(event.entry.bucket);
    if (!subscribers) return;
    for (const subscription of subscribers) {
      if (event.revision <= subscription.liveAfter) continue;
      if (subscription.backlog) subscription.backlog.push(event);
      else tell(subscription, event);
    }
  }

  /** Nobody hears anything any more. */
  clear(): void {
    for (const subscribers of this.#buckets.values()) {
      for (const subscription of subscribers) subscription.active = false;
    }
    this.#buckets.clear();
  }
}

function deliverBacklog(subscription: Subscription): void {
  for (const event of subscription.backlog ?? []) {
    if (!subscription.active) return;
    tell(subscription, event);
  }
  subscription.backlog = undefined;
}

function tell(subscription: Subscription, event: StoredEvent): void {
  try {
    subscription.listener(event);
  } catch (error) {
    // A listener that throws is a bug; it must be loud, but must not keep others from hearing or writers from their answer.
    queueMicrotask(() => {
      throw error;
    });
  }
}
