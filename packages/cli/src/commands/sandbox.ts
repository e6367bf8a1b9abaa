import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** What all commands on sandboxes are told. */
export interface SandboxFlags {
  readonly dir?: string;
}

/** `klutch sandbox` */
export function addSandbox(program: Command, terminal: Terminal): void {
  const sandbox = program
    .command('sandbox')
    .description('Klutch on this machine: control plane, app cluster, login and a sample service in one process.');
  const add = (name: string, description: string) =>
    sandbox
      .command(name)
      .description(description)
      .option(
        '--dir <folder>',
        'folder of the sandbox (default: klutch/sandbox in XDG_DATA_HOME, or ~/.klutch/sandbox)',
      );

  add('up', 'Start it and keep it running until Ctrl-C. What is in it survives a restart.')
    .option('--log', 'show the logs of all its parts')
    .action(async (flags: SandboxFlags & { readonly log?: true }) => {
      const { runUp } = await import('./sandbox/up.ts');
      await runUp(flags, process.env, terminal);
    });
  add('down', 'End the one that runs from the folder.').action(async (flags: SandboxFlags) => {
    const { runDown } = await import('./sandbox/others.ts');
    await runDown(flags, process.env, terminal);
  });
  add('status', 'Say whether one runs from the folder, and how to use it.').action(async (flags: SandboxFlags) => {
    const { runStatus } = await import('./sandbox/others.ts');
    await runStatus(flags, process.env, terminal);
  });
  add('reset', 'Remove everything that is in it, so that the next start begins anew.').action(
    async (flags: SandboxFlags) => {
      const { runReset } = await import('./sandbox/others.ts');
      await runReset(flags, process.env, terminal);
    },
  );
}
