import { type Command, InvalidArgumentError } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** `klutch apiserver` */
export function addApiserver(program: Command, terminal: Terminal): void {
  program
    .command('apiserver')
    .description(
      'Run a Kubernetes API server on this machine, for kubectl and for a first look. It listens on 127.0.0.1 only.',
    )
    .option('--dir <folder>', 'keep objects, keys and certificates here over restarts (default: in memory only)')
    .option('--port <number>', 'listen on this port (default: any that is free)', portNumber, 0)
    .option(
      '--kubeconfig <file>',
      'write the credentials of an administrator here (default: into the folder, or a temporary one)',
    )
    .action(async (options: { readonly dir?: string; readonly port: number; readonly kubeconfig?: string }) => {
      const { serve } = await import('./apiserver/serve.ts');
      await serve(options, terminal);
    });
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 takes any that is free.');
}
