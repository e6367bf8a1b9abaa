/** Versions of builds without a version number; they are let through. */
const developmentBuilds = ['v0.0.0', 'v0.0.0-master+$Format:%H$'];

const leastVersion = [0, 3, 0] as const;

/** Whether a backend of this version can be bound to: a semantic version, with or without `v`, of at least 0.3.0. */
export function isSupportedProviderVersion(version: string): boolean {
  if (developmentBuilds.includes(version)) return true;
  const match = /^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.exec(version);
  if (match === null) return false;
  const order = compare([Number(match[1]), Number(match[2]), Number(match[3])], leastVersion);
  const isPreRelease = match[4] !== undefined;
  return order > 0 || (order === 0 && !isPreRelease);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing < 0 ? 0 : Math.sign((a[differing] ?? 0) - (b[differing] ?? 0));
}
