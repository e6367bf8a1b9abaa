import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { addControlPlaneFlags, type ControlPlaneFlags } from './backend-operations.ts';
import { milliseconds } from './duration.ts';

/** What `klutch catalog check` is told. */
export interface CheckFlags extends ControlPlaneFlags {
  readonly output: 'text' | 'json';
  readonly instances?: true;
  readonly filename?: string;
}

/** What `klutch catalog diff` is told. */
export interface DiffFlags extends ControlPlaneFlags {
  readonly output: 'text' | 'json' | 'yaml';
}

/** What `klutch catalog apply` is told. */
export interface ApplyFlags extends ControlPlaneFlags {
  readonly dryRun?: true;
  readonly allowBreaking?: true;
  readonly waitTimeout: number;
}

/** `klutch catalog check|render|diff|apply` */
export function addCatalog(program: Command, terminal: Terminal): void {
  const catalog = program
    .command('catalog')
    .description(
      'Change what a control plane offers: services, versions, plans and parameters. A folder of YAML files adds to the catalogue that comes with klutch, or overrides it.',
    );
  const check = command(catalog, 'check', 'Say what is wrong with a catalogue, with file, line and column.')
    .addOption(outputs('text', 'json'))
    .option('-f, --filename <file>', 'also check a definition (XRD) that was written by hand')
    .option('--instances', 'also ask the control plane whether instances use what is no longer offered');
  addControlPlaneFlags(check).action(async (folders: readonly string[], flags: CheckFlags) => {
    const { checkCatalogue } = await import('./catalog/check.ts');
    await checkCatalogue(folders, flags, terminal);
  });
  command(catalog, 'render', 'Write the objects and pages that follow from a catalogue.')
    .option('--out <folder>', 'folder to write to; - prints the objects', '-')
    .action(async (folders: readonly string[], flags: { readonly out: string }) => {
      const { renderCatalogue } = await import('./catalog/render.ts');
      await renderCatalogue(folders, flags.out, terminal);
    });
  const diff = command(
    catalog,
    'diff',
    'Show what applying a catalogue would change on a control plane, and which instances of which tenants would change, break, or keep what nobody else gets. Changes nothing.',
  ).addOption(outputs('text', 'json', 'yaml'));
  addControlPlaneFlags(diff).action(async (folders: readonly string[], flags: DiffFlags) => {
    const { showDiff } = await import('./catalog/diff.ts');
    await showDiff(folders, flags, terminal);
  });
  const apply = command(
    catalog,
    'apply',
    'Make a control plane offer a catalogue: definitions, Compositions, rights of the backend, templates, and provider configs that are missing. Nothing is deleted.',
  )
    .option('--dry-run', 'ask the control plane whether it would accept everything, and change nothing')
    .option('--allow-breaking', 'go on although instances would break')
    .addOption(
      new Option('--wait-timeout <time>', 'how long to wait until definitions are established')
        .argParser(milliseconds)
        .default(120_000, '2m'),
    );
  addControlPlaneFlags(apply).action(async (folders: readonly string[], flags: ApplyFlags) => {
    const { applyCatalogue } = await import('./catalog/apply.ts');
    await applyCatalogue(folders, flags, terminal);
  });
}

function command(catalog: Command, name: string, description: string): Command {
  return catalog
    .command(name)
    .description(description)
    .argument('[folder...]', 'folders with services/, backends/ and operations/; none: what comes with klutch');
}

function outputs(...formats: readonly [string, ...string[]]): Option {
  return new Option('-o, --output <format>', 'form of the result').choices([...formats]).default(formats[0]);
}
