import { type Command } from 'commander';
import { addBackendFlags, type BackendFlags } from '../cluster/backend-flags.ts';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addLoginFlags, type LoginFlags } from './login-flags.ts';

/** What `klutch rotate` is told. */
export interface RotateFlags extends ConnectionFlags, BackendFlags, LoginFlags {
  readonly secret?: readonly string[];
  readonly evict?: true;
}

/** `klutch rotate` */
export function addRotate(program: Command, terminal: Terminal): void {
  const command = program
    .command('rotate')
    .description('Replace the credentials with which an app cluster reaches its control planes, without interruption.')
    .option('--secret <name...>', 'only these Secrets of namespace klutch-bind (default: all)')
    .option('--evict', 'after a theft: log in, end all credentials, and get a new one; see below')
    .addHelpText('after', explanations);
  addLoginFlags(command);
  addConnectionFlags(command);
  addBackendFlags(command);
  command.action(async (flags: RotateFlags) => {
    const { rotate } = await import('./rotate/run.ts');
    await rotate(flags, process.env, terminal);
  });
}

const explanations = `
Without --evict the old credential asks for the new one. Whoever has stolen the old one can do the same, so this does not
keep a thief out. With --evict you log in again, by which the provider knows that the app cluster is yours: all credentials
that were ever issued to it end first, and then one is issued that only this command gets. The konnector is interrupted for
about half a minute; nothing is lost.`;
