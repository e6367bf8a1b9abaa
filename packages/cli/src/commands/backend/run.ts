import { type BackendOptions, type GivenOptions, optionsFrom, startBackend } from '@klutch/backend';
import { isKlutchError, KlutchError } from '@klutch/api';
import { onAbort } from '@klutch/kube';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createLogger } from '../../logging/create-logger.ts';
import { type LogOptions, takeLogOptions } from '../../logging/log-options.ts';
import { packageVersion } from '../../package-version.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Runs a backend until the user interrupts it. Rejects when it cannot start, or cannot go on. */
export async function runBackend(args: readonly string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const interrupted = terminal.untilInterrupted();
  const { given, logs } = await understand(args, env, terminal);
  const log = createLogger(logs, terminal);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  onAbort(interrupted, () => log.info({}, 'backend stops'));

  log.info(summaryOf(given.options), 'backend starts');
  for (const warning of given.warnings) log.warn({ reason: warning }, 'an option should be changed');
  const backend = startBackend(given.options, { signal: interrupted, log, metrics });
  backend.ready.then(
    () => log.info({ operations: backend.operationsUrl(), url: given.options.web && backend.url() }, 'backend ready'),
    () => undefined, // `stopped` tells it, too.
  );
  await backend.stopped;
}

async function understand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { reader }: Terminal,
): Promise<{ readonly given: GivenOptions; readonly logs: LogOptions }> {
  try {
    const { logs, rest } = takeLogOptions(args, env, reader);
    return { logs, given: await optionsFrom(rest, env, await packageVersion()) };
  } catch (error) {
    if (!isKlutchError(error, 'KLUTCH_USAGE')) throw error;
    const problem = error.message.replace(/\.?$/, '.');
    throw new KlutchError('KLUTCH_USAGE', `${problem} Try \`klutch backend --help\`.`, { cause: error });
  }
}

function summaryOf({
  version,
  cluster,
  namespace,
  lease,
  web,
  controlPlaneMode,
  consumerScope,
}: BackendOptions): object {
  return {
    version,
    cluster: cluster.server,
    lease: `${namespace}/${lease.name}`,
    identity: lease.identity,
    externalUrl: web?.baseUrl,
    issuer: web?.issuer.url,
    consumerScope,
    controlPlaneMode,
  };
}
