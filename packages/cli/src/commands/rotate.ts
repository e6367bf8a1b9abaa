import { type Command } from 'commander';
import { addBackendFlags, type BackendFlags } from '../cluster/backend-flags.ts';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What `klutch rotate` is told. */
export interface RotateFlags extends ConnectionFlags, BackendFlags {
  readonly secret?: readonly string[];
}

/** `klutch rotate` */
export function addRotate(program: Command, terminal: Terminal): void {
  const command = program
    .command('rotate')
    .description('Replace the credentials with which an app cluster reaches its control planes, without interruption.')
    .option('--secret <name...>', 'only these Secrets of namespace klutch-bind (default: all)');
  addConnectionFlags(command);
  addBackendFlags(command);
  command.action(async (flags: RotateFlags) => {
    const { rotate } = await import('./rotate/run.ts');
    await rotate(flags, terminal);
  });
}
