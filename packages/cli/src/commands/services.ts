import { type Command, Option } from 'commander';
import { addBackendFlags, type BackendFlags } from '../cluster/backend-flags.ts';
import { addConnectionFlags, type ConnectionFlags } from '../cluster/connection-flags.ts';
import type { OutputFormat } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

type ServicesFlags = ConnectionFlags &
  BackendFlags & { readonly output: OutputFormat; readonly offered?: true; readonly example?: true };

/** `klutch services` */
export function addServices(program: Command, terminal: Terminal): void {
  const command = program
    .command('services')
    .description('Show the services that can be ordered in an app cluster, with their plans and parameters.')
    .argument('[service]', 'all about one of them: <plural>, <plural>.<group>, its kind, or the kind without Instance')
    .addOption(
      new Option('-o, --output <format>', 'form of the result')
        .choices(['table', 'json', 'yaml', 'name'])
        .default('table'),
    );
  command.option('--offered', 'what the connected providers offer, bound or not');
  command.option('--example', 'print a claim of the service that is ready to be applied, and nothing else');
  addBackendFlags(command);
  addConnectionFlags(command);
  command.action(async (name: string | undefined, flags: ServicesFlags) => {
    if (flags.offered) {
      const { showOffers } = await import('./services/offered.ts');
      return await showOffers(name, flags, terminal);
    }
    if (flags.example) {
      const { printExample } = await import('./services/run.ts');
      return await printExample(name, flags, terminal);
    }
    const { showServices } = await import('./services/run.ts');
    await showServices(name, flags, terminal);
  });
}
