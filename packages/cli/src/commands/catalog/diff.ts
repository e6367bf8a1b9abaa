import { observeCatalogue } from '../../catalog/observe-catalogue.ts';
import { catalogueFrom } from '../../catalog/read-folders.ts';
import { reportLines, reportOf } from '../../catalog/report.ts';
import { yamlOf } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { openControlPlane } from '../backend/control-plane.ts';
import type { DiffFlags } from '../catalog.ts';

/** Prints what applying a catalogue would change, object by object and instance by instance. */
export async function showDiff(folders: readonly string[], flags: DiffFlags, terminal: Terminal): Promise<void> {
  const catalogue = await catalogueFrom(folders);
  const signal = terminal.untilInterrupted();
  const plane = await openControlPlane(flags, process.env);
  try {
    const { comparison, effects } = await observeCatalogue(plane, catalogue, terminal, signal);
    const report = reportOf(comparison, effects);
    if (flags.output === 'json') return terminal.print(JSON.stringify(report, undefined, 2));
    if (flags.output === 'yaml') return terminal.print(await yamlOf(report));
    for (const line of reportLines(report)) terminal.print(line);
  } finally {
    await plane.close();
  }
}
