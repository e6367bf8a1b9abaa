import type { StoredEvent } from './types.ts';

/** Events in order of revision: added at the end, taken from both ends, searched by revision. */
export class EventQueue {
  /** Undefined below the head: what was taken must not be held until the rest is moved. */
  #events: (StoredEvent | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#events.length - this.#head;
  }

  get first(): StoredEvent | undefined {
    return this.#events[this.#head];
  }

  get last(): StoredEvent | undefined {
    return this.length === 0 ? undefined : this.#events[this.#events.length - 1];
  }

  push(event: StoredEvent): void {
    this.#events.push(event);
  }

  pop(): StoredEvent | undefined {
    return this.length === 0 ? undefined : this.#events.pop();
  }

  shift(): StoredEvent | undefined {
    const event = this.first;
    if (!event) return undefined;
    this.#events[this.#head] = undefined;
    this.#head += 1;
    // Moving what is left is paid for by the events taken since the last move.
    if (this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
    return event;
  }

  /** The events after a revision, oldest first. */
  after(revision: number): StoredEvent[] {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const event = this.#events[middle];
      if (event && event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low) as StoredEvent[];
  }
}
