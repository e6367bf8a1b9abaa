import { KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig, ExecPlugin } from '../kubeconfig/cluster-config.ts';
import { credentialsFailed } from './credentials-failed.ts';
import { readExecCredential } from './exec-credential.ts';
import type { PluginRun } from './plugin-process.ts';
import { redact, secretsAmong } from './redact.ts';

/** What was run, and for which configuration. */
export interface RunContext {
  readonly config: ClusterConfig;
  readonly plugin: ExecPlugin;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

/** Explains a run of a plugin that gave no credentials. Shows its stderr, redacted, and never its arguments or output. */
export function pluginFailure(run: PluginRun, context: RunContext): KubeError {
  const about = `The credential plugin "${context.plugin.command}" of ${context.config.source}`;
  switch (run.end) {
    case 'aborted':
      return new KubeError('KUBE_ABORTED', `${about} was stopped because nobody waits for its credentials any more.`);
    case 'not-started':
      return credentialsFailed(`${about} ${startProblem(run.code, context.plugin)}`);
    case 'timeout':
      return credentialsFailed(`${about} did not finish within ${context.timeoutMs / 1000} s.${said(run, context)}`);
    case 'too-much-output':
      return credentialsFailed(`${about} wrote more than 1 MiB, which cannot be credentials.${said(run, context)}`);
    case 'killed':
      return credentialsFailed(`${about} was ended by ${run.by}.${said(run, context)}`);
    case 'exited':
      return credentialsFailed(`${about} failed with exit code ${run.code}.${said(run, context)}`);
  }
}

function startProblem(code: string, plugin: ExecPlugin): string {
  if (code === 'EACCES') return 'may not be executed by this user. Check its permissions.';
  if (code !== 'ENOENT') return `could not be started (${code}).`;
  const hint = plugin.installHint ? ` ${redact(plugin.installHint).trim()}` : ' Install it or correct the kubeconfig.';
  return `was not found.${hint}`;
}

function said(run: Exclude<PluginRun, { end: 'not-started' }>, { plugin, env }: RunContext): string {
  const secrets = [...secretsAmong(env, plugin.args), ...tokensIn(run, plugin)];
  const text = redact(run.stderr, secrets).trim();
  return text === '' ? '' : ` It said: ${text}`;
}

/** A plugin may print a token both as its answer and in its log, and then fail. */
function tokensIn(run: PluginRun, plugin: ExecPlugin): string[] {
  if (run.end !== 'exited') return [];
  const answer = readExecCredential(run.stdout, plugin.apiVersion);
  const authorization = answer.kind === 'credentials' ? answer.credentials.authorization : undefined;
  return authorization === undefined ? [] : [authorization.replace(/^Bearer /, '')];
}
