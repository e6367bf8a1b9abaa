const STAGES = ['alpha', 'beta', ''];

/** Orders versions of an API, the preferred one first: v2, v1, v1beta2, v1alpha1, and at last names of any other kind. */
export function compareKubeVersions(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)];
  if (one === undefined || other === undefined) {
    if (one !== undefined) return -1;
    if (other !== undefined) return 1;
    return a < b ? -1 : Number(a > b);
  }
  for (const [at, part] of one.entries()) {
    const difference = (other[at] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stage, major and minor, the most important first. */
function parse(version: string): readonly number[] | undefined {
  const [, major, stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [STAGES.indexOf(stage), Number(major), Number(minor)];
}
