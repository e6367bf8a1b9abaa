import { Command } from 'commander';
import { addApiserver } from './commands/apiserver.ts';
import { addBackend } from './commands/backend.ts';
import { addBind } from './commands/bind.ts';
import { addKonnector } from './commands/konnector.ts';
import { addCompletion } from './commands/completion.ts';
import { addRotate } from './commands/rotate.ts';
import { addSandbox } from './commands/sandbox.ts';
import { addServices } from './commands/services.ts';
import { addStatus } from './commands/status.ts';
import { addUnbind } from './commands/unbind.ts';
import { addUpgrade } from './commands/upgrade.ts';
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
    // What follows the name of a command is for that command, also where commands above it have flags of the same name.
    .enablePositionalOptions()
    .showHelpAfterError('Try `klutch --help`.')
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.tell(text.trimEnd()),
      outputError: (text, write) =>
        write(text.replace(/^error: ./, (start) => `Error: ${start.slice(-1).toUpperCase()}`)),
    });
  addApiserver(program, terminal);
  addBackend(program, terminal);
  addBind(program, terminal);
  addKonnector(program, terminal);
  addCompletion(program, terminal);
  addRotate(program, terminal);
  addSandbox(program, terminal);
  addServices(program, terminal);
  addStatus(program, terminal);
  addUnbind(program, terminal);
  addUpgrade(program, terminal);
  addVersion(program, terminal);
  return program;
}
