import type { ApiGroup } from './api-groups.ts';

const FIXED = [
  '/.well-known/openid-configuration',
  '/api',
  '/apis',
  '/apis/',
  '/healthz',
  '/livez',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openid/v1/jwks',
  '/readyz',
  '/version',
];

/** What `/` lists: everything that is no resource. */
export function serverPaths(groups: readonly ApiGroup[]): readonly string[] {
  const roots = groups.flatMap(({ name, versions }) => {
    const root = name === '' ? '/api' : `/apis/${name}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  return [...new Set([...FIXED, ...roots])].sort();
}
