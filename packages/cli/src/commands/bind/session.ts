import { KlutchError } from '@klutch/api';
import type { Interceptor } from '@klutch/kube';
import type { DryRun } from '../../bind/dry-run.ts';
import type { HttpSettings } from '../../bind/http-call.ts';
import { type AppCluster, openAppCluster } from '../../cluster/app-cluster.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { installedKonnector } from '../../manifests/install-konnector.ts';
import { decideKonnector, type KonnectorDecision, refuseContradictions } from '../../manifests/konnector-decision.ts';
import { packageVersion } from '../../package-version.ts';
import { createProgress, type Progress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { FinishFlags } from '../bind.ts';

/** What lasts for one run of a command. */
export interface Session {
  readonly terminal: Terminal;
  readonly progress: Progress;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  readonly app: AppCluster;
  readonly konnector: KonnectorDecision;
  readonly version: string;
  readonly dryRun?: DryRun;
  /** How providers are reached. */
  readonly http: HttpSettings;
}

/**
 * Checks the flags, opens the app cluster, does the work and closes everything. An interruption becomes `KLUTCH_INTERRUPTED`.
 */
export async function inSession(
  flags: FinishFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const wishes = { skip: flags.skipKonnector, image: flags.konnectorImage, downgrade: flags.downgradeKonnector };
  refuseContradictions(wishes);
  const dryRun = dryRunOf(flags);
  const http = await httpSettings(flags, env);
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const version = await packageVersion();
  const interceptors = (flags.v ?? 0) >= 6 ? [tellRequests(progress)] : [];
  const app = await openAppCluster(flags, { env, progress, changes: dryRun !== 'all', interceptors });
  try {
    const konnector = decideKonnector(await installedKonnector(app.client, signal), version, wishes);
    if (konnector.action === 'keep' && konnector.note) progress.note(konnector.note);
    if (konnector.action === 'keep' && konnector.warning) progress.warn(konnector.warning);
    await work({ terminal, progress, signal, app, konnector, version, dryRun, http });
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = 'Interrupted. What is bound stays bound. Run the command again to continue.';
    throw new KlutchError('KLUTCH_INTERRUPTED', message, { cause: error });
  } finally {
    terminal.input?.().close();
    await app.close();
  }
}

/** Pure: what a dry run is about. A format on the command line asks for what the Go CLI prints. */
function dryRunOf({ dryRun, output, showSecrets }: FinishFlags): DryRun | undefined {
  if (dryRun === undefined || dryRun === 'false') {
    if (showSecrets) throw usage('--show-secrets belongs to --dry-run.');
    return undefined;
  }
  if (output === 'table' || output === 'name')
    throw usage(`A dry run prints manifests; -o ${output} is not for them. Use yaml or json.`);
  const kind = dryRun === 'true' ? (output === undefined ? 'all' : 'request') : dryRun;
  if (kind === 'request' && showSecrets)
    throw usage('Only --dry-run=all prints the credential; --show-secrets belongs to it.');
  return kind;
}

/** Names requests, without anything they carry. */
function tellRequests(progress: Progress): Interceptor {
  return (next) => async (request) => {
    const answer = await next(request);
    progress.note(`${request.method} ${request.path.split('?')[0]} ${answer.status}`);
    return answer;
  };
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
