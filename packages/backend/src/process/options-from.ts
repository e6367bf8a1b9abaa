import { hostname } from 'node:os';
import { controlPlane, goKonnectorImage } from '@klutch/api';
import { loadKubeconfig, replicaIdentity } from '@klutch/kube';
import { defaultTenantRole } from './backend-rules.ts';
import { externalAddressFrom } from './external-address-from.ts';
import { type Flags, parseFlags, type TextFlag, usage } from './flags.ts';
import type { BackendOptions, ListenOptions, OperationsOptions } from './options.ts';
import { choiceOf, countOf, secondsOf } from './values.ts';
import { webOptionsFrom } from './web-options-from.ts';

/** Options, and what the operator should be told about them although they can be used. */
export interface GivenOptions {
  readonly options: BackendOptions;
  /** Sentences without secrets. */
  readonly warnings: readonly string[];
}

/**
 * Options from command line and environment: all flags of the Go backend, and more. Flags of its logging are understood
 * and have no effect. Throws `KLUTCH_USAGE`, naming the flag, or a `KubeError` when there is no usable kubeconfig.
 */
export async function optionsFrom(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  version: string,
): Promise<GivenOptions> {
  const flags = parseFlags(args);
  const warnings: string[] = [];
  const controlPlaneMode = flags.isOn('control-plane-mode');
  const isWebWanted = !controlPlaneMode || flags.hasAny('oidc-');
  const web = isWebWanted ? await webOptionsFrom(flags, env, (warning) => warnings.push(warning)) : undefined;
  const listen = listenOf(flags);
  const lifetimeSeconds = secondsOf(flags, 'token-lifetime', '7d', '10m');
  const graceSeconds = secondsOf(flags, 'token-grace', '1h', '1m');
  if (graceSeconds > lifetimeSeconds / 2) throw usage('token-grace', 'must be at most half of --token-lifetime');
  const isExpiryOff = flags.text('app-cluster-expiry') === '0';
  const expirySeconds = isExpiryOff ? 0 : secondsOf(flags, 'app-cluster-expiry', '90d', '2d');
  const fixed = {
    version,
    tenantRole: tenantRoleOf(flags),
    prettyName: flags.text('pretty-name') ?? 'Klutch',
    namespacePrefix: prefixOf(flags),
    consumerScope: scopeOf(flags),
    isolation: choiceOf(flags, 'cluster-scoped-isolation', ['Prefixed', 'Namespaced', 'None']),
    listen,
    operations: addressOf('operations-address', flags.text('operations-address') ?? '127.0.0.1:8081'),
    controlPlaneMode,
    konnectorImage: flags.text('konnector-image') ?? `${goKonnectorImage.repository}:v${version.replace(/^v/, '')}`,
    konnectorImages: flags.list('konnector-images'),
    credentials: { lifetimeSeconds, graceSeconds, expirySeconds },
    quotas: {
      clustersPerTenant: countOf(flags, 'max-clusters-per-tenant', 50),
      namespacesPerCluster: countOf(flags, 'max-namespaces-per-cluster', 200),
      objectsPerNamespace: countOf(flags, 'max-objects-per-namespace', 1000),
    },
    lease: {
      name: flags.text('lease-name') ?? 'klutch-backend',
      identity: replicaIdentity(env['POD_NAME'] || hostname()),
    },
  };
  const cluster = await loadKubeconfig({ path: flags.text('kubeconfig'), env });
  const external = await externalAddressFrom(flags, cluster, web !== undefined);
  if (!external.ca && external.server.startsWith('https:') && web) {
    warnings.push(
      'Kubeconfigs for app clusters hold no certificates, so that they work only if the API server has one that every system trusts; see --external-ca-file.',
    );
  }
  const namespace = flags.text('namespace') ?? (env['POD_NAMESPACE'] || cluster.namespace || 'bind');
  return { options: { ...fixed, cluster, namespace, external, ...(web ? { web } : {}) }, warnings };
}

/**
 * The options on which the rights of a backend depend, from its command line. Throws `KLUTCH_USAGE` for flags that a
 * backend does not know.
 */
export function ruleSettingsFrom(
  args: readonly string[],
): Pick<BackendOptions, 'consumerScope' | 'controlPlaneMode' | 'tenantRole'> {
  const flags = parseFlags(args);
  return {
    consumerScope: scopeOf(flags),
    controlPlaneMode: flags.isOn('control-plane-mode'),
    tenantRole: tenantRoleOf(flags),
  };
}

function scopeOf(flags: Flags): BackendOptions['consumerScope'] {
  return choiceOf(flags, 'consumer-scope', ['Namespaced', 'Cluster']);
}

function tenantRoleOf(flags: Flags): string {
  return flags.text('tenant-role') ?? defaultTenantRole;
}

function prefixOf(flags: Flags): string {
  const prefix = (flags.text('namespace-prefix') ?? controlPlane.clusterNamespacePrefix).replace(/-+$/, '');
  if (!/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/.test(prefix)) {
    throw usage('namespace-prefix', `must be up to 40 lower-case letters, digits and dashes, not "${prefix}"`);
  }
  return prefix;
}

function listenOf(flags: Flags): ListenOptions {
  const ip = flags.text('listen-ip');
  const flag = ip === undefined ? 'listen-address' : 'listen-port';
  const address =
    ip === undefined ? (flags.text('listen-address') ?? '127.0.0.1:8080') : `${ip}:${flags.text('listen-port') ?? '0'}`;
  const place = addressOf(flag, address);
  const [certFile, keyFile] = [flags.text('tls-cert-file'), flags.text('tls-key-file')];
  if (certFile && !keyFile) throw usage('tls-key-file', 'is missing: --tls-cert-file needs it');
  if (keyFile && !certFile) throw usage('tls-cert-file', 'is missing: --tls-key-file needs it');
  return certFile && keyFile ? { ...place, tls: { certFile, keyFile } } : place;
}

function addressOf(flag: TextFlag, address: string): OperationsOptions {
  const { host = '', port = '' } = /^(?<host>.*):(?<port>\d{1,5})$/.exec(address)?.groups ?? {};
  if (port === '' || Number(port) > 65_535) {
    throw usage(flag, `must be an address and a port, such as 0.0.0.0:8080, not "${address}"`);
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1') || '0.0.0.0', port: Number(port) };
}
