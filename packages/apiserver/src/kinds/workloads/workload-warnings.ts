import type { Strategy } from '../../registry/served-resource.ts';

/** What whoever creates a workload is told: without it they would wait for something to happen. */
export const workloadWarnings: NonNullable<Strategy['warnings']> = ({ kind }, old) =>
  old ? [] : [`this API server runs no containers: it stores the ${kind}, and no Pod of it will ever start`];
