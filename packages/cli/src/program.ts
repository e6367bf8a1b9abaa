import { Command } from 'commander';
import { addApiserver } from './commands/apiserver.ts';
import { addBackend } from './commands/backend.ts';
import { addBind } from './commands/bind.ts';
import { addCatalog } from './commands/catalog.ts';
import { addKonnector } from './commands/konnector.ts';
import { addCompletion } from './commands/completion.ts';
import { addPlan } from './commands/plan.ts';
import { addRotate } from './commands/rotate.ts';
import { addSandbox } from './commands/sandbox.ts';
import { addServices } from './commands/services.ts';
import { addStatus } from './commands/status.ts';
import { addUnbind } from './commands/unbind.ts';
import { addUpgrade } from './commands/upgrade.ts';
import { addVersion } from './commands/version.ts';
import type { Terminal } from './terminal/terminal.ts';

/** How the program was started. */
export interface Invocation {
  /** The word before the name of a command: `klutch`, or `kubectl` for the plugin `kubectl bind`. Default: `klutch`. */
  readonly name?: 'klutch' | 'kubectl';
  /** What `--version` prints. */
  readonly version: string;
}

/**
 * All commands with their options. What they do is loaded when one of them is called, so that help and mistakes are
 * answered at once, however large the commands become.
 */
export function createProgram(terminal: Terminal, { name = 'klutch', version }: Invocation): Command {
  const program = new Command(name)
    .description('Self-service data services across Kubernetes clusters.')
    .version(`klutch ${version}`, '--version', 'print the version')
    .exitOverride()
    // What follows the name of a command is for that command, also where commands above it have flags of the same name.
    .enablePositionalOptions()
    .showHelpAfterError(`Try \`${name} --help\`.`)
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.tell(text.trimEnd()),
      outputError: (text, write) =>
        write(text.replace(/^error: ./, (start) => `Error: ${start.slice(-1).toUpperCase()}`)),
    });
  addApiserver(program, terminal);
  addBackend(program, terminal);
  addBind(program, terminal, version);
  addCatalog(program, terminal);
  addKonnector(program, terminal);
  addCompletion(program, terminal);
  addPlan(program, terminal);
  addRotate(program, terminal);
  addSandbox(program, terminal);
  addServices(program, terminal);
  addStatus(program, terminal);
  addUnbind(program, terminal);
  addUpgrade(program, terminal);
  addVersion(program, terminal);
  return program;
}
