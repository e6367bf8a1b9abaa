import { type Command } from 'commander';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What `klutch konnector install` is told. */
export interface InstallFlags extends ConnectionFlags {
  readonly image?: string;
  readonly downgrade?: true;
}

/** What `klutch konnector manifests` is told. */
export interface ManifestFlags extends ConnectionFlags {
  readonly image?: string;
  readonly api?: readonly string[];
  readonly claim?: readonly string[];
}

/** What `klutch konnector uninstall` is told. */
export interface UninstallFlags extends ConnectionFlags {
  readonly force?: true;
}

/** `klutch konnector install|manifests|uninstall` */
export function addKonnectorInstallation(konnector: Command, terminal: Terminal): void {
  // Flags after the name of a sub-command are the sub-command's, although the konnector has some of the same names.
  konnector.enablePositionalOptions();
  const install = konnector
    .command('install')
    .description(
      'Install the konnector in an app cluster, or upgrade it, with exactly the rights it needs for what is bound.',
    )
    .option('--image <image>', 'image of the konnector (default: the one of this version)')
    .option('--downgrade', 'replace a newer konnector, too');
  addConnectionFlags(install).action(async (flags: InstallFlags) => {
    const { install: run } = await import('./konnector/installation.ts');
    await run(flags, terminal);
  });
  const manifests = konnector
    .command('manifests')
    .description('Print the manifests of the konnector, for an administrator or a repository to apply.')
    .option('--image <image>', 'image of the konnector (default: the one of this version)')
    .option('--api <name...>', 'APIs to be bound, as <plural>.<group>, besides those that are')
    .option(
      '--claim <type...>',
      'types to be claimed, as <plural>[.<group>][:Provider|:Consumer], besides those that are',
    );
  addConnectionFlags(manifests).action(async (flags: ManifestFlags) => {
    const { printManifests } = await import('./konnector/installation.ts');
    await printManifests(flags, terminal);
  });
  const uninstall = konnector
    .command('uninstall')
    .description('Remove the konnector from an app cluster. Objects, bindings and credentials stay.')
    .option('--force', 'although APIs are bound; nothing is synchronised until a konnector runs again');
  addConnectionFlags(uninstall).action(async (flags: UninstallFlags) => {
    const { uninstall: run } = await import('./konnector/installation.ts');
    await run(flags, terminal);
  });
}
