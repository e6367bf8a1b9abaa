import type { ApiObject } from '../../objects/api-object.ts';

/** What the busy writer does to an object in its n-th step: mostly write it, sometimes delete it. */
export function stepOf(key: string, step: number, size: number): ApiObject | undefined {
  if (step % 7 === 6) return undefined;
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: key }, step, filler: 'ä'.repeat(size) };
}
