import { silentLogger } from '@klutch/kube';
import { createLine, type KeptLine } from './line.ts';
import type { Mark } from './mark.ts';

/** Where a cluster in memory keeps its mark. */
export interface MarkStore {
  mark?: Mark;
}

/** A line over a mark in memory, as another process would find it, too. */
export function createMemoryLine(store: MarkStore = {}, relist: () => Promise<void> = async () => {}): KeptLine {
  return createLine({
    carrier: {
      read: async () => store.mark,
      write: async (change) => {
        store.mark = change(store.mark);
      },
    },
    relist,
    log: silentLogger,
    found: store.mark,
  });
}
