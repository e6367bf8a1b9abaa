import { KlutchError } from '@klutch/api';
import { definitionFileProblems, type Problem } from '@klutch/catalog';
import { textOf } from '../../catalog/claims-in.ts';
import { instanceProblems } from '../../catalog/instance-problems.ts';
import { observeCatalogue } from '../../catalog/observe-catalogue.ts';
import { type FolderReading, problemLine, readFolders } from '../../catalog/read-folders.ts';
import { reportOf } from '../../catalog/report.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { openControlPlane } from '../backend/control-plane.ts';
import type { CheckFlags } from '../catalog.ts';

/** Prints what is wrong with a catalogue. Throws `KLUTCH_CATALOGUE_INVALID` if something is. */
export async function checkCatalogue(folders: readonly string[], flags: CheckFlags, terminal: Terminal): Promise<void> {
  const reading = await readFolders(folders);
  const { catalogue } = reading;
  const lost = flags.instances ? await problemsOfInstances(reading, flags, terminal) : [];
  const { filename: path } = flags;
  const written = path === undefined ? [] : definitionFileProblems({ path, text: await textOf(path) });
  const problems = [...reading.problems, ...lost, ...written];
  if (flags.output === 'json') terminal.print(JSON.stringify({ problems }, undefined, 2));
  else for (const problem of problems) terminal.print(problemLine(problem));
  if (problems.length > 0) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    throw new KlutchError('KLUTCH_CATALOGUE_INVALID', `The catalogue has ${count}.`);
  }
  const { services = [] } = catalogue ?? {};
  const plans = services.reduce((count, service) => count + service.plans.length, 0);
  createProgress(terminal).done(`The catalogue is in order: ${services.length} services, ${plans} plans.`);
}

async function problemsOfInstances(
  { catalogue, files }: FolderReading,
  flags: CheckFlags,
  terminal: Terminal,
): Promise<readonly Problem[]> {
  if (!catalogue) return [];
  const plane = await openControlPlane(flags, process.env);
  try {
    const { comparison, effects } = await observeCatalogue(plane, catalogue, terminal, terminal.untilInterrupted());
    return instanceProblems(reportOf(comparison, effects).instances, catalogue, files);
  } finally {
    await plane.close();
  }
}
