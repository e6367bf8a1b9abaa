import { setImmediate as turn } from 'node:timers/promises';

/** So many writes in a row leave room for requests in between. */
const BATCH = 64;

/** Does something about every item, some at a time, and lets others have their turn in between. */
export async function inBatches<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    if (start > 0) await turn();
    await Promise.all(items.slice(start, start + BATCH).map(act));
  }
}
