import { type APIServiceExportRequestResponse, KlutchError } from '@klutch/api';
import { type BindJob, planBind } from '../../bind/bind-plan.ts';
import { carryOut, storeCredential } from '../../bind/carry-out.ts';
import { printPlan, printRequests } from '../../bind/dry-run.ts';
import type { RemoteCluster } from '../../bind/remote-cluster.ts';
import { bindingResults } from '../../bind/results.ts';
import { waitUntilReady } from '../../bind/wait-ready.ts';
import { claimPolicy } from '../../claims/claim-policy.ts';
import { printResult } from '../../terminal/output.ts';
import type { FinishFlags } from '../bind.ts';
import type { Session } from './session.ts';

/** What there is to bind. */
export interface Wanted {
  readonly requests: readonly APIServiceExportRequestResponse[];
  readonly remote: RemoteCluster;
  readonly backendUrl?: string;
  /** Whether the user may be asked about claims. */
  readonly mayAsk: boolean;
  /**
   * Ask on standard output, where tools that drive the Go plugin look for questions, unless a format was chosen. Default: on standard
   * error, so that standard output holds the result alone.
   */
  readonly asksAsGo?: boolean;
}

/** The second half of both commands: from export requests to bindings, or what a dry run shows of it. */
export async function finishBinding(session: Session, flags: FinishFlags, wanted: Wanted): Promise<void> {
  const { terminal, progress, signal, app, konnector, version, dryRun } = session;
  const { requests, remote, backendUrl, mayAsk } = wanted;
  const show = wanted.asksAsGo && flags.output === undefined ? terminal.print : terminal.tell;
  if (dryRun === 'request') {
    // As the Go CLI: questions come when the request is carried out.
    const plan = await planBind({ ...job(session, wanted), claims: { kind: 'all' } });
    await storeCredential(plan, { client: app.client, progress, signal });
    return printRequests(terminal, requests, flags.output === 'json' ? 'json' : 'yaml');
  }
  const claims = await claimPolicy(
    { input: terminal.input, show },
    { acceptClaims: flags.acceptClaims, mayAsk, signal },
  );
  const plan = await planBind({ client: app.client, requests, remote, backendUrl, claims, konnector, signal });
  if (dryRun === 'all') {
    const format = flags.output === 'json' ? 'json' : 'yaml';
    return printPlan(terminal, plan, { format, showSecrets: flags.showSecrets === true });
  }

  const waitTimeoutMs = flags.waitTimeout ?? 600_000;
  const { type, bound, failures } = await carryOut(plan, {
    client: app.client,
    version,
    progress,
    waitTimeoutMs,
    signal,
  });
  const unready = flags.wait ? await notReady() : [];
  await printResult(terminal, flags.output ?? 'table', await bindingResults(app.client, type, bound, signal));
  const problems = [...failures, ...unready];
  if (problems.length > 0) throw together(problems);

  async function notReady(): Promise<readonly unknown[]> {
    const outcomes = await progress.during(`Waiting until ${bound.join(', ')} can be used`, () =>
      Promise.allSettled(
        bound.map((api) => waitUntilReady(app.client, type, api, { timeoutMs: waitTimeoutMs, signal })),
      ),
    );
    signal.throwIfAborted();
    return outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason);
  }
}

function job({ app, konnector, signal }: Session, { requests, remote, backendUrl }: Wanted): Omit<BindJob, 'claims'> {
  return { client: app.client, requests, remote, backendUrl, konnector, signal };
}

/** One error for several: the first decides the exit code. */
function together(problems: readonly unknown[]): unknown {
  const [first, ...others] = problems;
  if (others.length === 0 || !(first instanceof KlutchError)) return first;
  const texts = problems.map((problem) => (problem instanceof Error ? problem.message : String(problem)));
  return new KlutchError(first.code, texts.join(' '), { cause: first });
}
