import { KlutchError } from '@klutch/api';
import { type HealthCheck, type HealthServer, type Logger, type MetricsSource, startHealthServer } from '@klutch/kube';
import type { OperationsOptions } from './options.ts';

export interface OperationsDeps {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
  /** Shown at `/metrics`. */
  readonly registry?: MetricsSource;
  readonly log: Logger;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

/**
 * Serves `/livez`, `/readyz`, `/healthz` and `/metrics` on an address of their own, for those who operate the backend and
 * not for those who use it. Throws `KLUTCH_BACKEND_PORT_IN_USE`.
 */
export async function startOperations(
  { host, port }: OperationsOptions,
  { livez, readyz, registry, log, signal }: OperationsDeps,
): Promise<HealthServer> {
  try {
    return await startHealthServer({ host, port, checks: { livez, readyz }, registry, log, signal });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause;
    throw new KlutchError(
      'KLUTCH_BACKEND_PORT_IN_USE',
      `Another process listens on ${host}:${port}. Stop it, or choose another address with --operations-address.`,
      { cause },
    );
  }
}
