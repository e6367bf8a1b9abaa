/** Repeatable chance: the same seed gives the same story. */
export interface Dice {
  /** A number in [0, 1). */
  next(): number;
  /** An integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** One of the options, each as often as its weight says. */
  pick<T>(options: readonly (readonly [weight: number, option: T])[]): T;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (options) => {
      let left = next() * options.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, option] of options) {
        left -= weight;
        if (left < 0) return option;
      }
      throw new RangeError('There is nothing to pick from.');
    },
  };
}
