import { KlutchError, type OfferedApi, offeredApi } from '@klutch/api';
import { type KubeClient, Namespaces, type UnknownObject } from '@klutch/kube';
import { catalogueManager, type Compared, isOwned } from '../../catalog/compare.ts';
import { waitsFor } from '../../catalog/established.ts';
import { grantBackend } from '../../catalog/grant-backends.ts';
import { typeOfObject } from '../../catalog/object-types.ts';
import { observeCatalogue } from '../../catalog/observe-catalogue.ts';
import { catalogueFrom } from '../../catalog/read-folders.ts';
import { breakingLines, type Report, reportLines, reportOf } from '../../catalog/report.ts';
import { waitUntil } from '../../cluster/wait-until.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { openControlPlane } from '../backend/control-plane.ts';
import { offersOf } from '../backend/templates.ts';
import type { ApplyFlags } from '../catalog.ts';

/**
 * Makes a control plane offer a catalogue. A run that was interrupted is finished by the next one. Throws
 * `KLUTCH_CATALOGUE_BREAKS_INSTANCES` before anything is changed.
 */
export async function applyCatalogue(folders: readonly string[], flags: ApplyFlags, terminal: Terminal): Promise<void> {
  const catalogue = await catalogueFrom(folders);
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const plane = await openControlPlane(flags, process.env);
  try {
    const { comparison, effects } = await observeCatalogue(plane, catalogue, terminal, signal);
    const report = reportOf(comparison, effects);
    for (const line of reportLines(report)) if (line !== '') progress.note(line);
    refuseBreaking(report, flags);
    const work: Work = { client: plane.client, dryRun: flags.dryRun ?? false, signal };
    await applyAll(work, comparison.definitions);
    if (!work.dryRun) await untilEstablished(work, comparison.definitions, flags.waitTimeout, progress);
    await applyAll(work, comparison.compositions);
    await grant(work, comparison.templates, progress);
    await applyAll(work, await withNamespaces(work, comparison.templates));
    for (const { desired, live } of comparison.providerConfigs) if (!live) await applyOne(work, desired);
    if (work.dryRun) return progress.done('The control plane would accept all of it. Nothing was changed.');
    progress.done(`The control plane ${plane.name} offers the catalogue.`);
  } finally {
    await plane.close();
  }
}

interface Work {
  readonly client: KubeClient;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

function refuseBreaking(report: Report, { allowBreaking }: ApplyFlags): void {
  const breaking = breakingLines(report);
  if (breaking.length === 0 || allowBreaking) return;
  const message = `Nothing was changed, because instances would break:\n${breaking.join('\n')}\nKeep what they use in the catalogue (a plan or version with \`retired: true\` is kept for them and offered to nobody else), or accept this with --allow-breaking.`;
  throw new KlutchError('KLUTCH_CATALOGUE_BREAKS_INSTANCES', message);
}

/** Applies what differs, and what the catalogue does not own yet. */
async function applyAll(work: Work, compared: readonly Compared[]): Promise<void> {
  for (const { desired, live, changes } of compared) {
    if (changes.length > 0 || !isOwned(live)) await applyOne(work, desired);
  }
}

async function applyOne({ client, dryRun, signal }: Work, object: UnknownObject): Promise<void> {
  await client
    .resource(typeOfObject(object))
    .apply(object, { fieldManager: catalogueManager, force: true, dryRun, signal });
}

/** Makes the namespaces of templates that are not there. A dry run makes none, so it cannot ask about what is in them. */
async function withNamespaces(
  { client, dryRun, signal }: Work,
  compared: readonly Compared[],
): Promise<readonly Compared[]> {
  const absent: string[] = [];
  for (const name of new Set(compared.map(({ desired }) => desired.metadata.namespace ?? ''))) {
    if (await client.resource(Namespaces).find({ name }, { signal })) continue;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await client.resource(Namespaces).apply(namespace, { fieldManager: catalogueManager, dryRun, signal });
    absent.push(name);
  }
  return dryRun ? compared.filter(({ desired }) => !absent.includes(desired.metadata.namespace ?? '')) : compared;
}

async function untilEstablished(
  { client, signal }: Work,
  definitions: readonly Compared[],
  withinMs: number,
  progress: Progress,
): Promise<void> {
  let missing = '';
  const look = async () => {
    for (const { desired } of definitions) {
      const problem = await waitsFor(client, desired, signal);
      if (problem === undefined) continue;
      missing = problem;
      return undefined;
    }
    return true;
  };
  const isDone = await progress.during('Waiting until the definitions are established', () =>
    waitUntil(look, { withinMs, signal }),
  );
  if (isDone) return;
  const message = `${missing} after ${Math.round(withinMs / 1000)} seconds. Definitions were applied, nothing else. Look at its conditions, and apply again.`;
  throw new KlutchError('KLUTCH_CATALOGUE_NOT_ESTABLISHED', message);
}

/** Before an API is offered, so that the backend can serve the first who binds it. */
async function grant(work: Work, templates: readonly Compared[], progress: Progress): Promise<void> {
  const added = templates.flatMap(({ desired }) => offeredApi(desired as object as Template) ?? []);
  const offers: readonly OfferedApi[] = [...(await offersOf(work.client, work.signal)), ...added];
  if (await grantBackend(work.client, offers, work)) return;
  progress.note(
    'The control plane has no backend yet; `klutch backend manifests` prints one with the rights it needs.',
  );
}

type Template = Parameters<typeof offeredApi>[0];
