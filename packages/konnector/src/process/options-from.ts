import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { KlutchError, kubeconfigKey, lease } from '@klutch/api';
import { loadKubeconfig, replicaIdentity } from '@klutch/kube';
import type { KonnectorOptions, Mode } from './options.ts';

/**
 * Options from the command line and the environment of the Go konnector. Flags of its logging are understood and have no
 * effect. Throws `KLUTCH_USAGE`, naming the flag, or a `KubeError` when there is no usable kubeconfig.
 */
export async function optionsFrom(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  version: string,
): Promise<KonnectorOptions> {
  const flags = parse(args);
  const mode = modeOf(flags);
  const health = healthOf(flags);
  const heartbeat = optional(flags, 'heartbeat-interval');
  const metadata = {
    labels: flags['copy-labels'] ?? ['*'],
    annotations: flags['copy-annotations'] ?? ['*'],
  };
  return {
    mode,
    local: await loadKubeconfig({ path: optional(flags, 'kubeconfig'), env }),
    lease: {
      name: optional(flags, 'lease-name') ?? lease.name,
      namespace: optional(flags, 'lease-namespace') ?? (env['POD_NAMESPACE'] || lease.fallbackNamespace),
      identity: replicaIdentity(env['POD_NAME'] || hostname()),
    },
    health,
    version,
    bindingNamespace: optional(flags, 'binding-namespace'),
    metadata,
    ...(heartbeat === undefined ? {} : { heartbeatMs: secondsOf('heartbeat-interval', heartbeat) * 1000 }),
  };
}

const text = { type: 'string' } as const;
const known = {
  kubeconfig: text,
  'control-plane-mode': { type: 'boolean' },
  'app-cluster-kubeconfig-secret-name': text,
  'app-cluster-kubeconfig-secret-namespace': text,
  'app-cluster-kubeconfig-secret-key': text,
  'binding-root-namespace': text,
  'lease-name': text,
  'lease-namespace': text,
  'binding-namespace': text,
  'health-host': text,
  'health-port': text,
  'heartbeat-interval': text,
  'copy-labels': { type: 'string', multiple: true },
  'copy-annotations': { type: 'string', multiple: true },
  v: text,
  vmodule: text,
  'logging-format': text,
  'log-flush-frequency': text,
  'log-text-split-stream': text,
  'log-text-info-buffer-size': text,
} as const;

type Flags = ReturnType<typeof parse>;
type TextFlag = {
  [K in keyof typeof known]: (typeof known)[K] extends { type: 'string'; multiple: true } | { type: 'boolean' }
    ? never
    : K;
}[keyof typeof known];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: args.flatMap(goStyle), options: known, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    // The parser's sentence names the flag; what follows it is advice on its own syntax.
    const [problem] = (cause instanceof Error ? cause.message : String(cause)).split('. To specify');
    throw new KlutchError('KLUTCH_USAGE', problem ?? '', { cause });
  }
}

/** Go takes `-flag` for `--flag`, `-v=2` for `--v=2`, and a value for a boolean flag. */
function goStyle(arg: string): string[] {
  const dashed = /^-[a-z]/.test(arg) ? `-${arg}` : arg;
  if (dashed === '--control-plane-mode=true') return ['--control-plane-mode'];
  return dashed === '--control-plane-mode=false' ? [] : [dashed];
}

function modeOf(flags: Flags): Mode {
  const names = [
    'app-cluster-kubeconfig-secret-name',
    'app-cluster-kubeconfig-secret-namespace',
    'binding-root-namespace',
  ] as const;
  if (!flags['control-plane-mode']) return { kind: 'default' };
  const [name, namespace, bindingRootNamespace] = names.map((flag) => required(flags, flag)) as [
    string,
    string,
    string,
  ];
  const key = flags['app-cluster-kubeconfig-secret-key'] ?? kubeconfigKey;
  if (key === '') throw usage('app-cluster-kubeconfig-secret-key', 'must not be empty');
  return { kind: 'control-plane', appClusterKubeconfig: { name, namespace, key }, bindingRootNamespace };
}

function healthOf(flags: Flags): KonnectorOptions['health'] {
  const host = optional(flags, 'health-host');
  const port = optional(flags, 'health-port') ?? '8080';
  if (port === 'none') return undefined;
  const number = Number(port);
  if (!/^\d+$/.test(port) || number > 65_535) {
    throw usage('health-port', `must be a port from 0 to 65535, or "none", not "${port}"`);
  }
  return host === undefined ? { port: number } : { host, port: number };
}

function secondsOf(flag: string, value: string): number {
  const found = /^(\d+)(s|m)$/.exec(value);
  const seconds = found ? Number(found[1]) * (found[2] === 'm' ? 60 : 1) : 0;
  if (seconds < 10) throw usage(flag, `must be at least 10s, such as 5m, not "${value}"`);
  return seconds;
}

function required(flags: Flags, flag: TextFlag): string {
  const value = optional(flags, flag);
  if (value === undefined) throw usage(flag, 'is required with --control-plane-mode');
  return value;
}

/** Undefined when the flag is missing or empty, as Go's flags are when they were not given. */
function optional(flags: Flags, flag: TextFlag): string | undefined {
  return flags[flag] || undefined;
}

function usage(flag: string, problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', `--${flag} ${problem}.`);
}
