import { type Command, Option } from 'commander';
import { addBackendFlags, type BackendFlags } from '../cluster/backend-flags.ts';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { milliseconds } from './duration.ts';

/** What `klutch unbind` is told. */
export interface UnbindFlags extends ConnectionFlags, BackendFlags {
  readonly all?: true;
  readonly force?: true;
  readonly yes?: true;
  /** Milliseconds. */
  readonly waitTimeout: number;
}

/** `klutch unbind` */
export function addUnbind(program: Command, terminal: Terminal): void {
  const command = program
    .command('unbind')
    .description('Unbind APIs: remove them from an app cluster, and the rights for them from the control plane.')
    .argument('[api...]', 'as <plural>.<group>')
    .option('--all', 'unbind everything, and free the place of the app cluster in the quota of its tenant')
    .option('--force', 'delete all objects of the APIs, too, with their data on the control plane; asks first')
    .option('-y, --yes', 'do not ask')
    .addOption(
      new Option('--wait-timeout <time>', 'how long to wait until everything is removed')
        .argParser(milliseconds)
        .default(600_000, '10m'),
    );
  addConnectionFlags(command);
  addBackendFlags(command);
  command.action(async (apis: readonly string[], flags: UnbindFlags) => {
    const { unbind } = await import('./unbind/run.ts');
    await unbind(apis, flags, terminal);
  });
}
