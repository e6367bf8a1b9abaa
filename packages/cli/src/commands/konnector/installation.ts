import { KlutchError } from '@klutch/api';
import { isKubeError, type KubeClient, type UnknownObject } from '@klutch/kube';
import { ensureBindNamespace, openAppCluster } from '../../cluster/app-cluster.ts';
import { requireRights } from '../../cluster/preflight.ts';
import {
  checkRoles,
  installedKonnector,
  installKonnector,
  rightsFor,
  withoutRights,
} from '../../manifests/install-konnector.ts';
import { decideKonnector } from '../../manifests/konnector-decision.ts';
import { defaultKonnectorImage } from '../../manifests/konnector-image.ts';
import { inOrder, konnectorManifests } from '../../manifests/konnector-manifests.ts';
import { typeOf } from '../../manifests/manifest-types.ts';
import { allBindings, type Served, servedFor } from '../../manifests/served-by-konnector.ts';
import { claimedType } from '../../manifests/claimed-type.ts';
import { packageVersion } from '../../package-version.ts';
import { yamlOf } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { InstallFlags, ManifestFlags, UninstallFlags } from '../konnector-installation.ts';

/** Installs or upgrades the konnector for what is bound. */
export async function install(flags: InstallFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  const { client } = cluster;
  try {
    const wishes = { image: flags.image, downgrade: flags.downgrade };
    const decision = decideKonnector(await installedKonnector(client, signal), await packageVersion(), wishes);
    const served = servedFor(await allBindings(client, signal));
    await requireRights(client, rightsFor(decision), withoutRights, signal);
    await checkRoles(client, decision, served, { signal });
    await ensureBindNamespace(client, signal);
    await progress.during('Installing the konnector', () => installKonnector(client, decision, served, { signal }));
    if (decision.action === 'apply') progress.done(`The konnector runs ${decision.image} (${decision.reason}).`);
    else if (decision.action === 'keep')
      progress.done(`The konnector stays at ${decision.image}; its rights are up to date.`);
    if (decision.action === 'keep' && decision.note) progress.note(decision.note);
    if (decision.action === 'keep' && decision.warning) progress.warn(decision.warning);
  } finally {
    await cluster.close();
  }
}

/** Prints what would be installed. */
export async function printManifests(flags: ManifestFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const cluster = await openAppCluster(flags, { env: process.env, progress, changes: false });
  try {
    const bound = servedFor(await allBindings(cluster.client, terminal.untilInterrupted()));
    const served = withMore(bound, flags);
    const image = flags.image ?? defaultKonnectorImage(await packageVersion());
    const manifests = inOrder(konnectorManifests({ image, ...served }));
    const texts = await Promise.all(manifests.map(yamlOf));
    terminal.print(texts.join('\n---\n'));
  } finally {
    await cluster.close();
  }
}

/** Removes the konnector and its rights. The namespace stays: its UID is the identity of the cluster. */
export async function uninstall(flags: UninstallFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const cluster = await openAppCluster(flags, { env: process.env, progress });
  try {
    const bindings = await allBindings(cluster.client, signal);
    if (bindings.length > 0 && !flags.force) {
      const apis = bindings.map(({ metadata }) => metadata.name).join(', ');
      const message = `Cannot remove the konnector: ${apis} are bound. Unbind them first, or use --force; then nothing is synchronised until a konnector runs again.`;
      throw new KlutchError('KLUTCH_BINDING_IN_USE', message);
    }
    const { rights, workload } = konnectorManifests({ image: '', apis: [], claims: [] });
    const manifests = [...rights, ...workload].reverse();
    const rightsNeeded = manifests.map((manifest) => {
      const { group, plural } = typeOf(manifest);
      return { verb: 'delete', group, resource: plural, ...manifest.metadata, labels: undefined };
    });
    await requireRights(cluster.client, rightsNeeded, 'Ask an administrator of the cluster.', signal);
    for (const manifest of manifests) await removed(cluster.client, manifest, signal);
    progress.done('The konnector is removed.');
  } finally {
    await cluster.close();
  }
}

async function removed(client: KubeClient, manifest: UnknownObject, signal: AbortSignal): Promise<void> {
  const { name = '', namespace } = manifest.metadata;
  try {
    await client.resource(typeOf(manifest)).delete({ name, namespace }, { signal, propagation: 'Background' });
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

function withMore(served: Served, { api = [], claim = [] }: ManifestFlags): Served {
  const apis = api.map((name) => {
    const dot = name.indexOf('.');
    if (dot <= 0) throw new KlutchError('KLUTCH_USAGE', `--api ${name} is not of the form <plural>.<group>.`);
    return { plural: name.slice(0, dot), group: name.slice(dot + 1) };
  });
  return { apis: [...served.apis, ...apis], claims: [...served.claims, ...claim.map(claimedType)] };
}
