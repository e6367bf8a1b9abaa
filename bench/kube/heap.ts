import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes on the heap after everything that can be collected has been. */
export function settledHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let pass = 0; pass < 4; pass++) collect();
  return process.memoryUsage().heapUsed;
}
