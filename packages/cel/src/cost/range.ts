/** A number of which only bounds are known: a size or a cost. What exceeds 64 bits is infinite. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const LIMIT = 2 ** 64;

export const UNKNOWN: Range = { min: 0, max: Number.POSITIVE_INFINITY };

export const exactly = (value: number): Range => ({ min: value, max: value });

const saturate = (value: number) => (value >= LIMIT ? Number.POSITIVE_INFINITY : value);

export const plus = (a: Range, b: Range): Range => ({ min: saturate(a.min + b.min), max: saturate(a.max + b.max) });

/** Nothing times anything is nothing, even without a bound. */
const product = (a: number, b: number) => (a === 0 || b === 0 ? 0 : saturate(a * b));

export const times = (a: Range, b: Range): Range => ({ min: product(a.min, b.min), max: product(a.max, b.max) });

/** Multiplies by a factor and rounds up. */
export const scaled = ({ min, max }: Range, factor: number): Range => ({
  min: saturate(Math.ceil(product(min, factor))),
  max: saturate(Math.ceil(product(max, factor))),
});

/** The range that covers both. */
export const covering = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });

export const sum = (ranges: readonly Range[]): Range => ranges.reduce(plus, exactly(0));
