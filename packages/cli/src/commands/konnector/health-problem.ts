import { KlutchError } from '@klutch/api';
import type { KonnectorOptions } from '@klutch/konnector';

/** Pure: why health and metrics cannot be served, if that is what an error of the system is about. */
export function healthProblem(error: unknown, health: KonnectorOptions['health']): KlutchError | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const { code = '', syscall = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  if (health === undefined || !['listen', 'getaddrinfo'].includes(syscall)) return undefined;
  const { host, port } = health;
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} for health and metrics is in use; choose another one with --health-port, 0 for any that is free, or none.`;
    return new KlutchError('KLUTCH_HEALTH_PORT_IN_USE', message, { cause: error });
  }
  const place = host === undefined ? `port ${port}` : `${host}, port ${port}`;
  const message = `Health and metrics cannot be served at ${place} (${code}); choose another place with --health-host and --health-port.`;
  return new KlutchError('KLUTCH_HEALTH_PORT_REFUSED', message, { cause: error });
}
