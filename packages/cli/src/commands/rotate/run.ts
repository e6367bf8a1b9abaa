import { KlutchError } from '@klutch/api';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { requireRights } from '../../cluster/preflight.ts';
import { appCluster as names } from '@klutch/api';
import { type Connection, findConnections } from '../../connections/find-connections.ts';
import { evictable } from '../../rotate/evict-connection.ts';
import { rotateConnection } from '../../rotate/rotate-connection.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { refuseLoginContradictions } from '../bind/bind-arguments.ts';
import type { RotateFlags } from '../rotate.ts';
import { evict } from './evict.ts';

/** Replaces credentials, one after the other; one that cannot be replaced does not keep the others from it. */
export async function rotate(flags: RotateFlags, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  refuseLoginWithoutEviction(flags);
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const settings = await httpSettings(flags, env);
  const cluster = await openAppCluster(flags, { env, progress });
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
    const replace = async (connection: Connection): Promise<string> => {
      if (flags.evict) {
        const evicting = { client: cluster.client, flags, env, http: settings, progress, signal };
        return await evict(evictable(connection), evicting);
      }
      return await progress.during(
        `Replacing the credential in Secret ${names.namespace}/${connection.secretName}`,
        (say) => rotateConnection(cluster.client, connection, { settings, say, signal }),
      );
    };
    const failures: Error[] = [];
    for (const connection of connections) {
      await replace(connection)
        .then((outcome) => progress.done(outcome))
        .catch((error: Error) => failures.push(error));
    }
    if (failures[0]) throw failures[0];
  } finally {
    await cluster.close();
  }
}

function refuseLoginWithoutEviction(flags: RotateFlags): void {
  refuseLoginContradictions(flags);
  const { deviceCode, nonInteractive, tenant, loginTimeout, browser, evict: isEviction } = flags;
  const isLogin = deviceCode || nonInteractive || tenant || loginTimeout || browser === false;
  if (!isEviction && isLogin) throw new KlutchError('KLUTCH_USAGE', 'Flags of a login belong to --evict.');
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
