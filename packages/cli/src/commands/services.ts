import { type Command, Option } from 'commander';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { OutputFormat } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `klutch services` */
export function addServices(program: Command, terminal: Terminal): void {
  const command = program
    .command('services')
    .description('Show the services that can be ordered in an app cluster, with their plans and parameters.')
    .argument('[service]', 'all about one of them: <plural>, <plural>.<group> or its kind')
    .addOption(
      new Option('-o, --output <format>', 'form of the result')
        .choices(['table', 'json', 'yaml', 'name'])
        .default('table'),
    );
  addConnectionFlags(command);
  command.action(async (name: string | undefined, flags: ConnectionFlags & { readonly output: OutputFormat }) => {
    const { showServices } = await import('./services/run.ts');
    await showServices(name, flags, terminal);
  });
}
