/** Whole numbers up to 64 bits: what Go holds as int64. */
export const isInt64 = (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
