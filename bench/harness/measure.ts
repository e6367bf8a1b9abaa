/** One way of doing a job whose speed is measured. */
export interface Contender {
  readonly name: string;
  /** Does the job once and returns how many operations that was. */
  readonly run: () => Promise<number>;
}

/** How fast a contender was. */
export interface Measurement {
  readonly name: string;
  /** Operations per second of each repeat. */
  readonly rates: readonly number[];
  readonly medianRate: number;
}

export interface MeasureOptions {
  /** Runs that do not count. Default 1. */
  readonly warmUps?: number;
  /** Runs that count. Default 5. */
  readonly repeats?: number;
}

/**
 * Measures contenders in turns, a-b-a-b, so that what else the machine does hits all of them alike; the medians can
 * then be compared although the machine is noisy.
 */
export async function measure(
  contenders: readonly Contender[],
  options: MeasureOptions = {},
): Promise<readonly Measurement[]> {
  const { warmUps = 1, repeats = 5 } = options;
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + repeats; round++) {
    for (const { name, run } of contenders) {
      const began = performance.now();
      const operations = await run();
      const rate = operations / ((performance.now() - began) / 1000);
      if (round >= warmUps) rates.get(name)?.push(rate);
    }
  }
  return [...rates].map(([name, values]) => ({ name, rates: values, medianRate: median(values) }));
}

/** The middle value; the mean of the two middle ones when their number is even. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Linear interpolation between the two nearest values; NaN for none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = ((sorted.length - 1) * percent) / 100;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

/** Runs `count` operations, at most `inFlight` at a time, each with its number. */
export async function concurrently(
  count: number,
  inFlight: number,
  operation: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const worker = async () => {
    while (next < count) await operation(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return count;
}
