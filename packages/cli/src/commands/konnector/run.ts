import { isKlutchError, KlutchError } from '@klutch/api';
import { type KonnectorOptions, optionsFrom, startKonnector } from '@klutch/konnector';
import { onAbort } from '@klutch/kube';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createLogger } from '../../logging/create-logger.ts';
import { takeLogOptions } from '../../logging/log-options.ts';
import { packageVersion } from '../../package-version.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { healthProblem } from './health-problem.ts';

/** Runs a konnector until the user interrupts it. Rejects when it cannot start, or cannot go on. */
export async function runKonnector(args: readonly string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const interrupted = terminal.untilInterrupted();
  const { options, logs } = await understand(args, env, terminal);
  const log = createLogger(logs, terminal);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  onAbort(interrupted, () => log.info({}, 'konnector stops'));

  log.info(summaryOf(options), 'konnector starts');
  const konnector = startKonnector(options, { signal: interrupted, log, metrics });
  konnector.ready.then(
    () => log.info({ healthPort: konnector.health()?.port }, 'konnector ready'),
    () => undefined, // `stopped` tells it, too.
  );
  try {
    await konnector.stopped;
  } catch (error) {
    throw healthProblem(error, options.health) ?? error;
  }
}

async function understand(args: readonly string[], env: NodeJS.ProcessEnv, { reader }: Terminal) {
  try {
    const { logs, rest } = takeLogOptions(args, env, reader);
    return { logs, options: await optionsFrom(rest, env, await packageVersion()) };
  } catch (error) {
    if (!isKlutchError(error, 'KLUTCH_USAGE')) throw error;
    const problem = error.message.replace(/\.?$/, '.');
    throw new KlutchError('KLUTCH_USAGE', `${problem} Try \`klutch konnector --help\`.`, { cause: error });
  }
}

function summaryOf({ version, mode, local, lease, bindingNamespace }: KonnectorOptions): object {
  return {
    version,
    mode: mode.kind,
    cluster: local.server,
    lease: `${lease.namespace}/${lease.name}`,
    identity: lease.identity,
    bindingNamespace,
  };
}
