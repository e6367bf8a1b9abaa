import { appCluster as names, isKlutchError } from '@klutch/api';
import type { Connection } from '../connections/find-connections.ts';
import type { TenantBackend } from '../connections/tenant-backend.ts';

/** How the registration behind a connection has ended. */
export type Release =
  | { readonly is: 'released' }
  /** Nothing can be done with this connection any more; somebody else may have to. */
  | { readonly is: 'left to others'; readonly warning: string };

/**
 * Has the control plane take back these APIs, and end the registration of the app cluster with all its credentials. Throws what may
 * be different in a later run: the connection is needed for that one.
 */
export async function releaseConnection(
  connection: Connection,
  apis: readonly string[],
  backend: Pick<TenantBackend, 'unbind' | 'release'> | undefined,
): Promise<Release> {
  if (backend === undefined) return { is: 'left to others', warning: unknownBackend(connection) };
  try {
    // Rights end also when the registration has to stay.
    if (apis.length > 0) await backend.unbind(apis);
    await backend.release();
    return { is: 'released' };
  } catch (error) {
    const warning = lastingProblem(connection, error);
    if (warning === undefined) throw error;
    return { is: 'left to others', warning };
  }
}

/** Pure: what to say of a refusal that stays as it is however often the backend is asked; undefined for any other error. */
function lastingProblem(connection: Connection, error: unknown): string | undefined {
  if (isKlutchError(error, 'KLUTCH_TOKEN_INVALID')) {
    const where = `Secret ${names.namespace}/${connection.secretName}`;
    return `The control plane no longer accepts the credential in ${where}: the registration has ended, or its access was taken. If the app cluster still counts in the quota of its tenant, ask the operator to remove ${namespaceOf(connection)}.`;
  }
  if (isKlutchError(error, 'KLUTCH_BACKEND_TOO_OLD')) {
    return `The registration of this app cluster stays: ${error.message} ${byHand(connection)}`;
  }
  return undefined;
}

function unknownBackend(connection: Connection): string {
  const why = connection.problem ?? 'the address of its backend is not known';
  return `The registration of this app cluster stays: ${why}. ${byHand(connection)}`;
}

function byHand(connection: Connection): string {
  return `Ask the operator to remove ${namespaceOf(connection)}.`;
}

function namespaceOf({ config }: Connection): string {
  const namespace = config?.namespace;
  return namespace === undefined ? 'its cluster namespace' : `namespace ${namespace} of the control plane`;
}
