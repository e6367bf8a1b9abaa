import { CommanderError } from 'commander';
import { exitCodes } from './exit.ts';
import { packageVersion } from './package-version.ts';
import { createProgram, type Invocation } from './program.ts';
import { processTerminal } from './terminal/process-terminal.ts';
import type { Terminal } from './terminal/terminal.ts';

export { createProgram } from './program.ts';

/** Runs the command line and resolves to the exit code; never rejects. `name` is what users call the program. */
export async function main(
  args: readonly string[],
  terminal: Terminal = processTerminal(),
  name?: Invocation['name'],
): Promise<number> {
  try {
    await createProgram(terminal, { name, version: await packageVersion() }).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said what is wrong with the arguments, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { failureOf } = await import('./failure.ts');
    const { message, exitCode } = failureOf(error);
    terminal.tell(`Error: ${message}`);
    return exitCode;
  }
}
