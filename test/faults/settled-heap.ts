import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes in use after everything that can be collected has been, buffers included. */
export async function settledHeapBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let pass = 0; pass < 5; pass++) {
    // What native handles still hold is let go of between turns.
    await nextTurn();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
