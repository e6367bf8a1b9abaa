/** A semantic version; what follows a `+` never counts. */
export interface Semver {
  readonly numbers: readonly [number, number, number];
  readonly preRelease: readonly string[];
}

/** Pure: reads a version, with or without `v`; undefined when it is none. */
export function parseSemver(text: string): Semver | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, preRelease] = match;
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  };
}

/** Pure: below 0 when `a` is older than `b`, above 0 when it is newer. */
export function compareSemver(a: Semver, b: Semver): number {
  const differing = a.numbers.findIndex((part, at) => part !== b.numbers[at]);
  if (differing >= 0) return Math.sign((a.numbers[differing] ?? 0) - (b.numbers[differing] ?? 0));
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    return Math.sign(b.preRelease.length - a.preRelease.length);
  }
  const length = Math.max(a.preRelease.length, b.preRelease.length);
  for (let at = 0; at < length; at++) {
    const order = comparePart(a.preRelease[at], b.preRelease[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers go before words, fewer parts before more. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Math.sign(Number(a) - Number(b));
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : 1;
}
