/**
 * What becomes of a step: its value, a failure that keeps the engine from composing anything, or nothing that can be told without
 * a cluster.
 */
export type Outcome<T> = { readonly is: 'value'; readonly value: T } | NoValue;

/** `why` is a sentence without its end, about the thing that was asked for. */
export type NoValue = { readonly is: 'fails'; readonly why: string } | { readonly is: 'unknown'; readonly why: string };

export function valueOf<T>(value: T): Outcome<T> {
  return { is: 'value', value };
}

export function fails(why: string): NoValue {
  return { is: 'fails', why };
}

export function unknown(why: string): NoValue {
  return { is: 'unknown', why };
}

/** Goes on with each item until one has no value. */
export function fold<T, V>(items: readonly T[], start: V, step: (value: V, item: T) => Outcome<V>): Outcome<V> {
  let outcome: Outcome<V> = valueOf(start);
  for (const item of items) {
    if (outcome.is !== 'value') return outcome;
    outcome = step(outcome.value, item);
  }
  return outcome;
}
