import type { PodSpec, Resources } from './pod-types.ts';

const COUNTED = ['cpu', 'memory'];

/** How well a pod is protected when a node runs short; follows from what its containers ask for. */
export function qualityOfService(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources = {} }) => resources);
  if (all.every(asksForNothing)) return 'BestEffort';
  return all.every(isFixed) ? 'Guaranteed' : 'Burstable';
}

function asksForNothing({ limits = {}, requests = {} }: Resources): boolean {
  return COUNTED.every((name) => isNone(limits[name]) && isNone(requests[name]));
}

function isFixed({ limits = {}, requests = {} }: Resources): boolean {
  return COUNTED.every((name) => !isNone(limits[name]) && limits[name] === (requests[name] ?? limits[name]));
}

function isNone(amount: string | undefined): boolean {
  return amount === undefined || amount === '0';
}
