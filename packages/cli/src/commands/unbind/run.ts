import { type APIServiceBinding, CustomResourceDefinitions, group, isKlutchError, KlutchError } from '@klutch/api';
import { isKubeError, type KubeClient, Secrets } from '@klutch/kube';
import { appCluster as names } from '@klutch/api';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { requireRights } from '../../cluster/preflight.ts';
import { type Connection, findConnections } from '../../connections/find-connections.ts';
import { tenantBackendOf } from '../../connections/tenant-backend.ts';
import { bindingType } from '../../manifests/served-by-konnector.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { decideUnbind, lossOf, type Seen } from '../../unbind/decide.ts';
import { objectsOf } from '../../unbind/objects-of.ts';
import { unbindApi } from '../../unbind/unbind-api.ts';
import type { UnbindFlags } from '../unbind.ts';

/** Unbinds APIs, all or none: whether they can be is looked at before the first one goes. */
export async function unbind(apis: readonly string[], flags: UnbindFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const settings = await httpSettings(flags);
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  const { client } = cluster;
  try {
    const type = await bindingType(client, signal);
    const connections = await findConnections(client, signal);
    const wanted = [...new Set(apis)].map((api) => boundApi(api, connections));
    if (type === undefined) throw new KlutchError('KLUTCH_USAGE', 'Nothing is bound in this cluster.');
    await requireRights(
      client,
      rightsFor(wanted.map(({ binding }) => binding)),
      'Ask an administrator of the cluster.',
      signal,
    );

    const seen = await Promise.all(wanted.map(({ binding }) => seenOf(client, binding, signal)));
    const policies = decideUnbind(seen, flags.force ?? false);
    const loss = lossOf(seen);
    if (loss !== undefined && !flags.yes) await confirm(terminal, `${loss}. Go on?`, signal);

    for (const { binding } of wanted) {
      const api = binding.metadata.name ?? '';
      await progress.during(`Unbinding ${api}`, (say) =>
        unbindApi(client, binding, policies.get(api) ?? 'Remove', {
          type,
          withinMs: flags.waitTimeout,
          say,
          signal,
        }),
      );
      progress.done(`${api} is unbound.`);
    }
    for (const connection of connections) {
      const ended = wanted
        .filter((one) => one.connection === connection)
        .map(({ binding }) => binding.metadata.name ?? '');
      if (ended.length === 0) continue;
      await giveBack(connection, ended, () => tenantBackendOf(connection, settings), progress);
      if (ended.length === connection.bindings.length) await forget(client, connection, progress, signal);
    }
  } finally {
    await cluster.close();
  }
}

function boundApi(api: string, connections: readonly Connection[]) {
  for (const connection of connections) {
    const binding = connection.bindings.find(({ metadata }) => metadata.name === api);
    if (binding) return { connection, binding };
  }
  const known = connections.flatMap(({ bindings }) => bindings.map(({ metadata }) => metadata.name)).join(', ');
  throw new KlutchError('KLUTCH_USAGE', `${api} is not bound here; bound is: ${known || 'nothing'}.`);
}

function rightsFor(bindings: readonly APIServiceBinding[]) {
  return bindings.flatMap(({ metadata: { name, namespace } }) =>
    ['patch', 'delete'].map((verb) => ({ verb, group, resource: 'apiservicebindings', namespace, name })),
  );
}

async function seenOf(client: KubeClient, binding: APIServiceBinding, signal: AbortSignal): Promise<Seen> {
  const api = binding.metadata.name ?? '';
  const crd = await client.resource(CustomResourceDefinitions).find({ name: api }, { signal });
  return { api, objects: await objectsOf(client, crd, signal) };
}

/** What the app cluster no longer uses it should not be allowed any longer. That this fails undoes nothing. */
async function giveBack(
  connection: Connection,
  apis: readonly string[],
  backend: () => ReturnType<typeof tenantBackendOf>,
  progress: Progress,
): Promise<void> {
  const byHand = `Ask the operator to delete the APIServiceExports ${apis.join(', ')} in ${connection.config?.namespace ?? 'the cluster namespace'}.`;
  const provider = backend();
  if (provider === undefined) {
    progress.warn(`The control plane still grants these APIs: the address of its backend is not known. ${byHand}`);
    return;
  }
  try {
    await provider.unbind(apis);
    progress.done('The control plane has taken the rights back.');
  } catch (error) {
    if (!isKlutchError(error)) throw error;
    progress.warn(`The control plane still grants these APIs: ${error.message} ${byHand}`);
  }
}

/** Without bindings nobody needs the credential. */
async function forget(
  client: KubeClient,
  { secretName: name }: Connection,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.resource(Secrets).delete({ namespace: names.namespace, name }, { signal });
    progress.done(`The credential in Secret ${names.namespace}/${name} is deleted.`);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND', 'KUBE_FORBIDDEN')) throw error;
    progress.warn(`The credential in Secret ${names.namespace}/${name} is no longer needed; delete it.`);
  }
}
