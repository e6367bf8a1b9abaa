import { type Command } from 'commander';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What `klutch upgrade` is told. */
export interface UpgradeFlags extends ConnectionFlags {
  readonly konnectorImage?: string;
  readonly skipKonnector?: true;
}

/** `klutch upgrade` */
export function addUpgrade(program: Command, terminal: Terminal): void {
  const command = program
    .command('upgrade')
    .description(
      'Upgrade the bindings and the konnector of an app cluster to this version. Objects of bound APIs stay as they are. Run it again if it was interrupted.',
    )
    .option('--konnector-image <image>', 'image of the konnector (default: the one of this version)')
    .option('--skip-konnector', 'do not replace the konnector; stop it before, and start a new one afterwards');
  addConnectionFlags(command).action(async (flags: UpgradeFlags) => {
    const { upgrade } = await import('./upgrade/run.ts');
    await upgrade(flags, terminal);
  });
}
