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
      'Bring what an older Klutch installed in an app cluster to this version: bindings and konnector. Objects of bound APIs stay as they are.',
    )
    .option('--konnector-image <image>', 'image of the konnector (default: the one of this version)')
    .option('--skip-konnector', 'leave the konnector to somebody else; it has to be stopped before');
  addConnectionFlags(command).action(async (flags: UpgradeFlags) => {
    const { upgrade } = await import('./upgrade/run.ts');
    await upgrade(flags, terminal);
  });
}
