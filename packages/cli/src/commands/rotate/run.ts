import { KlutchError } from '@klutch/api';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { requireRights } from '../../cluster/preflight.ts';
import { appCluster as names } from '@klutch/api';
import { type Connection, findConnections } from '../../connections/find-connections.ts';
import { rotateConnection } from '../../rotate/rotate-connection.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { RotateFlags } from '../rotate.ts';

/** Replaces credentials, one after the other; one that cannot be replaced does not keep the others from it. */
export async function rotate(flags: RotateFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const settings = await httpSettings(flags, process.env);
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  try {
    const connections = chosen(await findConnections(cluster.client, signal), flags.secret);
    await requireRights(
      cluster.client,
      connections.map(({ secretName }) => ({
        verb: 'patch',
        group: '',
        resource: 'secrets',
        namespace: names.namespace,
        name: secretName,
      })),
      'Ask an administrator of the cluster.',
      signal,
    );
    const failures: Error[] = [];
    for (const connection of connections) {
      await progress
        .during(`Replacing the credential in Secret ${names.namespace}/${connection.secretName}`, (say) =>
          rotateConnection(cluster.client, connection, { settings, say, signal }),
        )
        .then((outcome) => progress.done(outcome))
        .catch((error: Error) => failures.push(error));
    }
    if (failures[0]) throw failures[0];
  } finally {
    await cluster.close();
  }
}

function chosen(connections: readonly Connection[], secrets: readonly string[] | undefined): readonly Connection[] {
  if (connections.length === 0)
    throw new KlutchError(
      'KLUTCH_USAGE',
      'There is no credential to replace: nothing is bound here. Run `klutch bind <provider-url>`.',
    );
  const missing = secrets?.find((name) => !connections.some(({ secretName }) => secretName === name));
  if (missing !== undefined) {
    const known = connections.map(({ secretName }) => secretName).join(', ');
    throw new KlutchError('KLUTCH_USAGE', `There is no credential in Secret ${missing}. Choose one of: ${known}.`);
  }
  return secrets === undefined ? connections : connections.filter(({ secretName }) => secrets.includes(secretName));
}
