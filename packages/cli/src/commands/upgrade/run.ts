import { group } from '@klutch/api';
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
import { allBindings, servedFor } from '../../manifests/served-by-konnector.ts';
import { packageVersion } from '../../package-version.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { wakeKonnector } from '../../upgrade/rest-konnector.ts';
import { upgradeBindings } from '../../upgrade/upgrade-bindings.ts';
import type { UpgradeFlags } from '../upgrade.ts';

/** Upgrades an app cluster: bindings first, then the konnector that serves them. */
export async function upgrade(flags: UpgradeFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  const { client } = cluster;
  try {
    const wishes = { image: flags.konnectorImage, skip: flags.skipKonnector };
    const decision = decideKonnector(await installedKonnector(client, signal), await packageVersion(), wishes);
    const before = servedFor(await allBindings(client, signal));
    await requireRights(client, [...ownRights, ...rightsFor(decision)], withoutRights, signal);
    await checkRoles(client, decision, before, { signal });
    await ensureBindNamespace(client, signal);
    const carried = await progress.during('Looking at the bindings', (say) => upgradeBindings(client, say, signal));
    if (carried === undefined) progress.note('The bindings are of this version already.');
    else progress.done(`${carried} bindings are carried over; their objects were not touched.`);
    const served = servedFor(await allBindings(client, signal));
    await progress.during('Bringing the konnector up to date', () =>
      installKonnector(client, decision, served, { signal }),
    );
    if (decision.action !== 'skip') await wakeKonnector(client, signal);
    if (decision.action === 'apply') progress.done(`The konnector runs ${decision.image} (${decision.reason}).`);
    if (decision.action === 'skip') progress.note('Start the konnector again.');
  } finally {
    await cluster.close();
  }
}

const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
const ownRights: readonly Right[] = [
  ...['get', 'create', 'patch', 'delete'].map((verb) => ({ verb, ...crds })),
  ...['list', 'create'].map((verb) => ({ verb, group, resource: 'apiservicebindings' })),
];
