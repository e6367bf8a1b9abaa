import { appCluster as names, ClusterScopedAPIServiceBindings, group } from '@klutch/api';
import type { KubeClient } from '@klutch/kube';
import { ensureBindNamespace, openAppCluster } from '../../cluster/app-cluster.ts';
import { requireRights, type Right } from '../../cluster/preflight.ts';
import {
  checkRoles,
  installedKonnector,
  installKonnector,
  rightsFor,
  withoutRights,
} from '../../manifests/install-konnector.ts';
import { decideKonnector } from '../../manifests/konnector-decision.ts';
import { allBindings, bindingType, servedFor } from '../../manifests/served-by-konnector.ts';
import { packageVersion } from '../../package-version.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { forgetUpgrade, savedBindings } from '../../upgrade/saved-bindings.ts';
import { scaleBack } from '../../upgrade/scale-konnector.ts';
import { upgradeBindings } from '../../upgrade/upgrade-bindings.ts';
import type { UpgradeFlags } from '../upgrade.ts';

/**
 * Upgrades an app cluster: bindings first, then the konnector that serves them. A run that was killed is finished by the next: what is
 * left to do is read from the cluster, where the upgrade is noted until the konnector runs again.
 */
export async function upgrade(flags: UpgradeFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  const { client } = cluster;
  try {
    const decision = decideKonnector(await installedKonnector(client, signal), await packageVersion(), {
      image: flags.konnectorImage,
      skip: flags.skipKonnector,
      mustServeNamespaced: await movesBindings(client, signal),
    });
    const before = servedFor(await allBindings(client, signal));
    await requireRights(client, [...ownRights, ...rightsFor(decision)], withoutRights, signal);
    await checkRoles(client, decision, before, { signal });
    await ensureBindNamespace(client, signal);
    const moved = await progress.during('Checking the bindings', (say) => upgradeBindings(client, say, signal));
    if (moved === undefined) progress.note('The bindings are namespaced already.');
    else progress.done(`${moved} bindings are now in namespace ${names.namespace}; their objects were not touched.`);
    const served = servedFor(await allBindings(client, signal));
    await progress.during('Upgrading the konnector', () => installKonnector(client, decision, served, { signal }));
    if (decision.action !== 'skip') await scaleBack(client, signal);
    await forgetUpgrade(client, signal);
    if (decision.action === 'apply') progress.done(`The konnector runs ${decision.image} (${decision.reason}).`);
    if (decision.action === 'keep') progress.done(`The konnector runs ${decision.image}.`);
    if (decision.action === 'skip') progress.note('Start a konnector that serves namespaced bindings.');
  } finally {
    await cluster.close();
  }
}

/** Whether bindings are cluster-scoped, or an upgrade that moves them is not finished. */
async function movesBindings(client: KubeClient, signal: AbortSignal): Promise<boolean> {
  const isOld = (await bindingType(client, signal)) === ClusterScopedAPIServiceBindings;
  return isOld || (await savedBindings(client, signal)) !== undefined;
}

const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
const ownRights: readonly Right[] = [
  ...['get', 'create', 'patch', 'delete'].map((verb) => ({ verb, ...crds })),
  ...['list', 'create'].map((verb) => ({ verb, group, resource: 'apiservicebindings' })),
];
