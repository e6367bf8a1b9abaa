import { KlutchError } from '@klutch/api';
import { proxyFor } from '@klutch/api/contract';
import type { HttpSettings } from '../bind/http-call.ts';
import type { BackendFlags } from './backend-flags.ts';
import { certificatesIn } from './cluster-config.ts';

/** How to reach backends: reads what the flags name, and the proxies of the environment. Throws `KLUTCH_USAGE` when they contradict each other, or a file cannot be used. */
export async function httpSettings(flags: BackendFlags, env: NodeJS.ProcessEnv): Promise<HttpSettings> {
  const { timeout: timeoutMs = 30_000, backendCaFile, insecureSkipBackendTlsVerify } = flags;
  if (backendCaFile && insecureSkipBackendTlsVerify) {
    const message = '--backend-ca-file contradicts --insecure-skip-backend-tls-verify; give one of them.';
    throw new KlutchError('KLUTCH_USAGE', message);
  }
  const ca = backendCaFile === undefined ? undefined : await certificatesIn(backendCaFile, '--backend-ca-file');
  return {
    timeoutMs,
    ca,
    insecureSkipTlsVerify: insecureSkipBackendTlsVerify,
    insecureHttp: flags.insecureHttp,
    proxyFor: (url) => proxyFor(url, env),
  };
}
