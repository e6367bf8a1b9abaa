import fc from 'fast-check';

/** One of the values that an arbitrary makes from a seed: the first, the second, …. */
export interface Origin {
  readonly seed: number;
  readonly index: number;
}

/** The values from a seed; {@link smallestCase} finds each of them again. */
export function casesFrom<T>(arbitrary: fc.Arbitrary<T>, seed: number, count: number): readonly T[] {
  return fc.sample(arbitrary, { seed, numRuns: count });
}

/** Of a case that fails, the smallest that still does, as far as it is found within a minute. */
export async function smallestCase<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, index }: Origin,
  fails: (value: T) => Promise<boolean>,
): Promise<T | undefined> {
  const { counterexample } = await fc.check(
    fc.asyncProperty(arbitrary, async (value) => !(await fails(value))),
    { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: 60_000 },
  );
  return counterexample?.[0];
}
