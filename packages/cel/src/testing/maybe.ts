import fc from 'fast-check';

/** A value once in so many times. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>, outOf: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: outOf - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}
