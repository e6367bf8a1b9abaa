import { isKubeError, type KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig, ExecPlugin } from '../kubeconfig/cluster-config.ts';
import type { Credentials, CredentialSource } from './credentials.ts';
import { credentialsFailed } from './credentials-failed.ts';
import type { ResolvedDeps } from './deps.ts';
import { execInfo, readExecCredential } from './exec-credential.ts';
import { pemReader } from './pem-reader.ts';
import { pluginFailure, type RunContext } from './plugin-failure.ts';
import { runPlugin } from './plugin-process.ts';
import { refreshTime } from './refresh-time.ts';
import { sharedRun } from './shared-run.ts';

/** A plugin that fails shortly before its credentials expire is not asked again for this long. */
const RETRY_AFTER_MS = 5000;

/**
 * Credentials of an exec plugin. It runs when they are first needed, shortly before they expire and after they were
 * refused; callers that come meanwhile share that run. Credentials without an expiry are kept until refused.
 */
export function execSource(config: ClusterConfig, plugin: ExecPlugin, deps: ResolvedDeps): CredentialSource {
  const readCa = plugin.provideClusterInfo && config.ca ? pemReader(config.ca, deps) : async () => undefined;
  let held: Held | undefined;

  const renew = sharedRun(async (signal) => {
    const fallback = held;
    try {
      held = await askPlugin(config, plugin, await readCa(), deps, signal);
    } catch (error) {
      if (held !== fallback || !stillValid(fallback, deps.now()) || isKubeError(error, 'KUBE_ABORTED')) throw error;
      held = { ...fallback, refreshAt: deps.now() + RETRY_AFTER_MS };
    }
    return held.credentials;
  });

  return {
    current: async (signal) => {
      if (held && deps.now() < held.refreshAt && stillValid(held, deps.now())) return held.credentials;
      return await renew(signal);
    },
    invalidate: () => {
      held = undefined;
    },
  };
}

interface Held {
  readonly credentials: Credentials;
  readonly expiresAt: number;
  readonly refreshAt: number;
}

function stillValid(held: Held | undefined, now: number): held is Held {
  return held !== undefined && now < held.expiresAt;
}

async function askPlugin(
  config: ClusterConfig,
  plugin: ExecPlugin,
  ca: string | undefined,
  deps: ResolvedDeps,
  signal: AbortSignal,
): Promise<Held> {
  const mode = plugin.interactiveMode ?? 'Never';
  if (mode === 'Always' && !deps.terminal) throw needsTerminal(config, plugin);
  const terminal = mode === 'Never' ? undefined : deps.terminal;
  const env = {
    ...deps.env,
    ...plugin.env,
    KUBERNETES_EXEC_INFO: execInfo(plugin, terminal !== undefined, config, ca),
  };
  const { command, args } = plugin;
  const run = await runPlugin({ command, args, env, timeoutMs: deps.execTimeoutMs, terminal }, signal);
  const context: RunContext = { config, plugin, env, timeoutMs: deps.execTimeoutMs };
  if (run.end !== 'exited' || run.code !== 0) throw pluginFailure(run, context);
  const answer = readExecCredential(run.stdout, plugin.apiVersion);
  if (answer.kind === 'problem') {
    throw credentialsFailed(`The credential plugin "${command}" of ${config.source} ${answer.problem}.`);
  }
  return hold(answer.credentials, answer.expiresAt, deps.now());
}

function hold(credentials: Credentials, expiresAt: number | undefined, now: number): Held {
  if (expiresAt === undefined) return { credentials, expiresAt: Infinity, refreshAt: Infinity };
  return { credentials, expiresAt, refreshAt: refreshTime(now, expiresAt) };
}

function needsTerminal(config: ClusterConfig, { command }: ExecPlugin): KubeError {
  const advice = 'Run it in a terminal, or use credentials that need no dialogue.';
  return credentialsFailed(`The credential plugin "${command}" of ${config.source} must talk to its user. ${advice}`);
}
