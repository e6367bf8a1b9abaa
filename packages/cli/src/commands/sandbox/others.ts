import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import { defaultDir, findRunning, type Layout, layoutOf, removeState } from '@klutch/sandbox';
import type { Terminal } from '../../terminal/terminal.ts';
import type { SandboxFlags } from '../sandbox.ts';
import { instructions } from './instructions.ts';

/** Ends the sandbox of a folder and waits until it has ended; one that does not run is no mistake. */
export async function runDown(flags: SandboxFlags, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const layout = layoutFor(flags, env);
  const running = await findRunning(layout);
  if (running === undefined) return terminal.tell(`No sandbox runs from ${layout.dir}.`);
  await running.stop();
  terminal.tell(`The sandbox of ${layout.dir} has ended. What was in it is kept.`);
}

/** Says how to use the sandbox of a folder. Throws `KLUTCH_SANDBOX_NOT_RUNNING` when there is none. */
export async function runStatus(flags: SandboxFlags, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const layout = layoutFor(flags, env);
  const running = await findRunning(layout);
  if (running === undefined) {
    const advice = 'Start one with `klutch sandbox up`.';
    throw new KlutchError('KLUTCH_SANDBOX_NOT_RUNNING', `No sandbox runs from ${layout.dir}. ${advice}`);
  }
  terminal.print(`A sandbox runs from ${layout.dir} (process ${running.pid}).`);
  for (const line of instructions(running.info)) terminal.print(line);
}

/** Removes what a sandbox has left. Throws `KLUTCH_SANDBOX_RUNNING` while it runs. */
export async function runReset(flags: SandboxFlags, env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const layout = layoutFor(flags, env);
  const running = await findRunning(layout);
  if (running) {
    const advice = 'End it first with `klutch sandbox down`.';
    throw new KlutchError('KLUTCH_SANDBOX_RUNNING', `The sandbox of ${layout.dir} runs. ${advice}`);
  }
  const isThere = await access(layout.state).then(
    () => true,
    () => false,
  );
  if (!isThere) return terminal.tell(`There is no sandbox in ${layout.dir}.`);
  await removeState(layout);
  terminal.tell(`The sandbox of ${layout.dir} is removed.`);
}

function layoutFor({ dir }: SandboxFlags, env: NodeJS.ProcessEnv): Layout {
  return layoutOf(resolve(dir ?? defaultDir(env)));
}
