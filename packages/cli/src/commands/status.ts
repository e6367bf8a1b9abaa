import { type Command, Option } from 'commander';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { OutputFormat } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `klutch status` */
export function addStatus(program: Command, terminal: Terminal): void {
  const command = program
    .command('status')
    .description('Show what is bound in an app cluster, whether it works, and when its credentials expire.')
    .argument('[api...]', 'only these, as <plural>.<group>')
    .addOption(
      new Option('-o, --output <format>', 'form of the result')
        .choices(['table', 'json', 'yaml', 'name'])
        .default('table'),
    );
  addConnectionFlags(command);
  command.action(async (apis: readonly string[], flags: ConnectionFlags & { readonly output: OutputFormat }) => {
    const { showStatus } = await import('./status/run.ts');
    await showStatus(apis, flags, terminal);
  });
}
