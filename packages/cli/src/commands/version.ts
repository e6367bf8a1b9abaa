import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** `klutch version` */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command('version')
    .description('Print the version of this command.')
    .action(async () => {
      const { packageVersion } = await import('../package-version.ts');
      terminal.print(`klutch ${await packageVersion()}`);
    });
}
