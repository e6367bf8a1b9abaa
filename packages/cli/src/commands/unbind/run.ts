import {
  annotations,
  type APIServiceBinding,
  APIServiceBindings,
  appCluster as names,
  CustomResourceDefinitions,
  group,
  isKlutchError,
  KlutchError,
} from '@klutch/api';
import { isKubeError, type KubeClient, Secrets, userAgentOf } from '@klutch/kube';
import type { HttpSettings } from '../../bind/http-call.ts';
import { openAppCluster } from '../../cluster/app-cluster.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { requireRights } from '../../cluster/preflight.ts';
import { type Connection, findConnections } from '../../connections/find-connections.ts';
import { tenantBackendOf } from '../../connections/tenant-backend.ts';
import { bindingType } from '../../manifests/served-by-konnector.ts';
import { packageVersion } from '../../package-version.ts';
import { askControlPlane } from '../../status/ask-control-plane.ts';
import { confirm } from '../../terminal/confirm.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { decideUnbind, lossOf, type Seen } from '../../unbind/decide.ts';
import { objectsOf } from '../../unbind/objects-of.ts';
import { releaseConnection } from '../../unbind/release-connection.ts';
import { unbindApi, untilUnbound } from '../../unbind/unbind-api.ts';
import { allTargets, byConnection, type UnbindTarget, unbindTargets } from '../../unbind/unbind-targets.ts';
import { markUnbinding, unmarkUnbinding } from '../../unbind/unbinding-mark.ts';
import type { UnbindFlags } from '../unbind.ts';

/**
 * Unbinds APIs, all or none: whether they can be is looked at before the first one goes. With `--all` it is everything, and the
 * registrations go, too.
 */
export async function unbind(apis: readonly string[], flags: UnbindFlags, terminal: Terminal): Promise<void> {
  refuseContradictions(apis, flags);
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const settings = await httpSettings(flags, process.env);
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  const { client } = cluster;
  try {
    const type = (await bindingType(client, signal)) ?? APIServiceBindings;
    const connections = await findConnections(client, signal);
    const userAgent = userAgentOf('klutch-cli', await packageVersion());
    const targets = flags.all
      ? allTargets(connections)
      : byConnection(await unbindTargets(apis, connections, (one) => askControlPlane(one, { userAgent, signal })));
    const bindings = [...targets.values()].flat().flatMap(({ binding }) => binding ?? []);
    await requireRights(client, rightsFor(bindings), 'Ask an administrator of the cluster.', signal);

    const seen = await Promise.all(bindings.map((binding) => seenOf(client, binding, signal)));
    const policies = decideUnbind(seen, flags.force ?? false);
    const loss = lossOf(seen);
    if (loss !== undefined && !flags.yes) await confirm(terminal, `${loss}. Go on?`, signal);

    for (const [connection, ended] of targets) {
      const names = ended.map(({ api }) => api);
      const mark = () => markUnbinding(client, connection, names, signal);
      const bound = ended.flatMap(({ api, binding }) => (binding === undefined ? [] : [{ api, binding }]));
      const waiting = { type, withinMs: flags.waitTimeout, signal };
      if (bound.length < ended.length) await mark();
      for (const { api, binding } of bound) {
        await progress.during(`Unbinding ${api}`, (say) =>
          unbindApi(client, binding, policies.get(api) ?? 'Remove', { ...waiting, beforeDeletion: mark, say }),
        );
        progress.done(`${api} is unbound.`);
      }
      for (const { api } of ended.filter(({ binding }) => binding === undefined)) {
        await progress.during(`Unbinding ${api}`, (say) => untilRemoved(client, api, { ...waiting, say }));
      }
      // Several connections may share a registration, which goes when nothing is bound any more.
      if (flags.all) continue;
      if (!(await giveBack(connection, names, () => tenantBackendOf(connection, settings), progress))) continue;
      const isLast = connection.bindings.every(({ metadata }) => names.includes(metadata.name ?? ''));
      if (isLast) await forget(client, connection, progress, signal);
      else await unmarkUnbinding(client, connection, signal);
    }
    if (flags.all) await releaseAll(targets, { client, settings, progress, signal });
  } finally {
    await cluster.close();
  }
}

function refuseContradictions(apis: readonly string[], { all }: UnbindFlags): void {
  if (all && apis.length > 0) throw new KlutchError('KLUTCH_USAGE', 'Name APIs, or use --all, not both.');
  if (!all && apis.length === 0) {
    throw new KlutchError('KLUTCH_USAGE', 'Name the APIs to unbind, as <plural>.<group>, or use --all.');
  }
}

interface ReleaseContext {
  readonly client: KubeClient;
  readonly settings: HttpSettings;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Ends the registration of every connection; one that cannot end does not keep the others from it. */
async function releaseAll(
  targets: ReadonlyMap<Connection, readonly UnbindTarget[]>,
  { client, settings, progress, signal }: ReleaseContext,
): Promise<void> {
  if (targets.size === 0) progress.done('Nothing is bound here.');
  const failures: Error[] = [];
  for (const [connection, ended] of targets) {
    const apis = ended.map(({ api }) => api);
    const backend = tenantBackendOf(connection, settings);
    try {
      const outcome = await progress.during('Ending the registration of this app cluster', () =>
        releaseConnection(connection, apis, backend),
      );
      if (outcome.is === 'released') progress.done('The control plane has ended the registration of this app cluster.');
      else progress.warn(outcome.warning);
      await forget(client, connection, progress, signal);
    } catch (error) {
      if (!isKlutchError(error)) throw error;
      failures.push(error);
    }
  }
  if (failures[0]) throw failures[0];
}

/** Waits for the konnector to remove the CRD of an API whose binding an earlier run has deleted. One that was released stays. */
async function untilRemoved(
  client: KubeClient,
  api: string,
  options: Parameters<typeof untilUnbound>[2],
): Promise<void> {
  const crd = await client.resource(CustomResourceDefinitions).find({ name: api }, { signal: options.signal });
  if (crd === undefined || crd.metadata.annotations?.[annotations.released] !== undefined) return;
  const namespace = options.type.namespaced ? names.namespace : undefined;
  await untilUnbound(client, { name: api, namespace }, options);
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

/**
 * Has the control plane take the rights back that the app cluster no longer uses. That this fails undoes nothing. Says whether the
 * connection is not needed for it any more: false when the backend may do it in a later run.
 */
async function giveBack(
  connection: Connection,
  apis: readonly string[],
  backend: () => ReturnType<typeof tenantBackendOf>,
  progress: Progress,
): Promise<boolean> {
  const byHand = `Ask the operator to delete the APIServiceExports ${apis.join(', ')} in ${connection.config?.namespace ?? 'the cluster namespace'}.`;
  const provider = backend();
  if (provider === undefined) {
    progress.warn(`The control plane still grants these APIs: the address of its backend is not known. ${byHand}`);
    return true;
  }
  try {
    await provider.unbind(apis);
    progress.done('The control plane has taken the rights back.');
    return true;
  } catch (error) {
    if (!isKlutchError(error)) throw error;
    const isPassing = isKlutchError(error, 'KLUTCH_PROVIDER_UNREACHABLE', 'KLUTCH_PROVIDER_TIMEOUT');
    const next = isPassing ? `Run \`klutch unbind ${apis.join(' ')}\` again later.` : byHand;
    progress.warn(`The control plane still grants these APIs: ${error.message} ${next}`);
    return !isPassing;
  }
}

/** Deletes a credential with which nothing is bound any more. */
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
