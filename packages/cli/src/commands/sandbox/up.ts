import { resolve } from 'node:path';
import { defaultDir, startSandbox } from '@klutch/sandbox';
import { onAbort, silentLogger } from '@klutch/kube';
import { createLogger } from '../../logging/create-logger.ts';
import { takeLogOptions } from '../../logging/log-options.ts';
import { packageVersion } from '../../package-version.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { SandboxFlags } from '../sandbox.ts';
import { instructions } from './instructions.ts';

/** Runs a sandbox until the user, or `klutch sandbox down`, ends it. */
export async function runUp(
  { dir, log }: SandboxFlags & { readonly log?: true },
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const interrupted = terminal.untilInterrupted();
  const sandbox = startSandbox(
    { dir: resolve(dir ?? defaultDir(env)), version: await packageVersion() },
    {
      signal: interrupted,
      log: log ? createLogger(takeLogOptions([], env, terminal.reader).logs, terminal) : silentLogger,
      onProgress: (text) => terminal.tell(text),
    },
  );
  onAbort(interrupted, () => terminal.tell('Stopping.'));
  // `stopped` tells what went wrong, too.
  const info = await sandbox.ready.catch(() => undefined);
  if (info && !interrupted.aborted) {
    terminal.tell(`\nThe sandbox is ready; it is kept in ${info.dir}. ${instructions(info).join('\n')}\n`);
    terminal.tell('Ctrl-C ends it.');
  }
  await sandbox.stopped;
}
