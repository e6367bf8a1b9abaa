import type { Strategy } from '../../registry/served-resource.ts';

/** What whoever creates a workload is told: without it they would wait for something to happen. */
export const workloadWarnings: NonNullable<Strategy['warnings']> = ({ kind }, old) =>
  old ? [] : [`this API server runs no containers: the ${kind} is stored, but no Pod will ever start`];
