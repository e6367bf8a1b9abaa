import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import { throughProxy } from '@klutch/api/contract';
import { type Auth, type ClusterConfig, isKubeError, loadKubeconfig } from '@klutch/kube';
import type { ConnectionFlags } from './connection-flags.ts';

/**
 * The cluster that flags, environment and kubeconfig name together, as kubectl understands them. Throws `KLUTCH_USAGE` for
 * flags that make no sense, and as `loadKubeconfig` does.
 */
export async function clusterConfig(flags: ConnectionFlags, env: NodeJS.ProcessEnv): Promise<ClusterConfig> {
  refuseContradictions(flags);
  const base = await baseConfig(flags, env);
  const server = flags.server === undefined ? base.server : serverUrl(flags.server);
  const isEncrypted = server.startsWith('https:');
  const trust = await trustOf(flags, base);
  const config: ClusterConfig = {
    ...base,
    ...trust,
    server,
    source: flags.server === undefined ? base.source : `--server, and ${base.source}`,
    namespace: flags.namespace ?? base.namespace,
    tlsServerName: flags.tlsServerName ?? base.tlsServerName,
    proxyUrl: flags.proxyUrl ?? base.proxyUrl,
    // Credentials never travel over a connection that is not encrypted.
    auth: isEncrypted ? (authOf(flags) ?? base.auth) : { kind: 'none' },
    impersonate: flags.as
      ? { user: flags.as, uid: flags.asUid, groups: flags.asGroup, extra: base.impersonate?.extra }
      : base.impersonate,
  };
  return throughProxy(config, env);
}

function refuseContradictions(flags: ConnectionFlags): void {
  if ((flags.asGroup || flags.asUid) && !flags.as) throw usage('--as-group and --as-uid need --as.');
  if (flags.token && (flags.username || flags.password)) {
    throw usage('--token contradicts --username and --password; give one of them.');
  }
  if (flags.certificateAuthority && flags.insecureSkipTlsVerify) {
    throw usage('--certificate-authority contradicts --insecure-skip-tls-verify; give one of them.');
  }
}

/** With an address on the command line no kubeconfig is needed. */
async function baseConfig(flags: ConnectionFlags, env: NodeJS.ProcessEnv): Promise<ClusterConfig> {
  const other = { cluster: flags.cluster, user: flags.user };
  try {
    return await loadKubeconfig({ path: flags.kubeconfig, context: flags.context, other, env });
  } catch (error) {
    const isNamed = flags.kubeconfig ?? flags.context ?? flags.cluster ?? flags.user;
    if (!flags.server || isNamed || !isKubeError(error, 'KUBE_CONFIG_UNREADABLE')) throw error;
    return { server: '', source: 'the command line', auth: { kind: 'none' } };
  }
}

async function trustOf(
  { certificateAuthority, insecureSkipTlsVerify }: ConnectionFlags,
  base: ClusterConfig,
): Promise<Pick<ClusterConfig, 'ca' | 'insecureSkipTlsVerify'>> {
  if (insecureSkipTlsVerify) return { ca: undefined, insecureSkipTlsVerify };
  if (!certificateAuthority) return { ca: base.ca, insecureSkipTlsVerify: base.insecureSkipTlsVerify };
  const path = resolve(certificateAuthority);
  return {
    ca: { from: 'data', pem: await certificatesIn(path, '--certificate-authority') },
    insecureSkipTlsVerify: false,
  };
}

/** Certificates in a file that a flag names. Throws `KLUTCH_USAGE`, naming both. */
export async function certificatesIn(file: string, flag: string): Promise<string> {
  const path = resolve(file);
  const pem = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code ?? 'unknown'})`;
    throw usage(`The file ${path} of ${flag} ${why}; name a file with certificates in PEM form.`);
  });
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw usage(`The file ${path} of ${flag} holds no certificate in PEM form; name another one.`);
}

function authOf({ token, username, password }: ConnectionFlags): Auth | undefined {
  if (token) return { kind: 'token', token };
  if (username || password) return { kind: 'basic', username: username ?? '', password: password ?? '' };
  return undefined;
}

function serverUrl(text: string): string {
  // As kubectl does, a host without a scheme is taken for https.
  const withScheme = /^https?:\/\//.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) throw usage(`--server is not the address of an API server: "${text}".`);
  return withScheme.replace(/\/+$/, '');
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
