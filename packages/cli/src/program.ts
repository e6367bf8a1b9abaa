import { Command } from 'commander';
import { addApiserver } from './commands/apiserver.ts';
import { addKonnector } from './commands/konnector.ts';
import { addVersion } from './commands/version.ts';
import type { Terminal } from './terminal/terminal.ts';

/**
 * All commands with their options. What they do is loaded when one of them is called, so that help and mistakes are
 * answered at once, however large the commands become.
 */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('klutch')
    .description('Self-service data services across Kubernetes clusters.')
    .exitOverride()
    .showHelpAfterError('Try `klutch --help`.')
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.tell(text.trimEnd()),
      outputError: (text, write) =>
        write(text.replace(/^error: ./, (start) => `Error: ${start.slice(-1).toUpperCase()}`)),
    });
  addApiserver(program, terminal);
  addKonnector(program, terminal);
  addVersion(program, terminal);
  return program;
}
