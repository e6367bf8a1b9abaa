import type { ClusterConfig, ExecPlugin } from '../kubeconfig/cluster-config.ts';
import { cleanToken } from './bearer-token.ts';
import type { Credentials } from './credentials.ts';
import { keyPairProblem } from './key-pair.ts';
import { pemProblem } from './pem.ts';

/** The value of `KUBERNETES_EXEC_INFO`: tells a plugin the version to answer in, and what it may know and do. */
export function execInfo(
  plugin: ExecPlugin,
  interactive: boolean,
  config: ClusterConfig,
  ca: string | undefined,
): string {
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: {
      cluster: plugin.provideClusterInfo ? clusterInfo(plugin, config, ca) : undefined,
      interactive,
    },
  });
}

function clusterInfo(plugin: ExecPlugin, config: ClusterConfig, ca: string | undefined): Record<string, unknown> {
  return {
    server: config.server,
    'tls-server-name': config.tlsServerName,
    'insecure-skip-tls-verify': config.insecureSkipTlsVerify,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca, 'utf8').toString('base64'),
    'proxy-url': config.proxyUrl,
    config: plugin.clusterConfig ?? null,
  };
}

/** What a plugin answered: credentials, or why its answer cannot be used, as the end of a sentence about the plugin. */
export type ExecAnswer =
  | { readonly kind: 'credentials'; readonly credentials: Credentials; readonly expiresAt?: number }
  | { readonly kind: 'problem'; readonly problem: string };

/** Reads the `ExecCredential` a plugin wrote to its standard output. Problems never repeat the output. */
export function readExecCredential(output: string, apiVersion: ExecPlugin['apiVersion']): ExecAnswer {
  const answer = parseObject(output);
  if (answer === undefined) return problem('did not write an ExecCredential as JSON to its standard output');
  if (answer.kind !== 'ExecCredential') return problem('did not answer with the kind ExecCredential');
  if (answer.apiVersion !== apiVersion) {
    const found = typeof answer.apiVersion === 'string' ? `"${answer.apiVersion.slice(0, 80)}"` : 'none';
    return problem(`must answer with apiVersion "${apiVersion}", but answered with ${found}`);
  }
  const status = asObject(answer.status);
  return status ? readStatus(status) : problem('answered without a status');
}

function readStatus(status: Record<string, unknown>): ExecAnswer {
  const fields = ['token', 'clientCertificateData', 'clientKeyData', 'expirationTimestamp'] as const;
  const notText = fields.find((name) => typeof (status[name] ?? '') !== 'string');
  if (notText) return problem(`answered with a ${notText} that is not text`);
  const [token, certificate, key, expiry] = fields.map((name) => status[name] as string | null | undefined);

  const expiresAt = expiry ? Date.parse(expiry) : undefined;
  if (Number.isNaN(expiresAt)) return problem('answered with an expirationTimestamp that is not a time');
  if (!token && !certificate && !key) return problem('answered without a token or a client certificate and key');

  const cleaned = token ? cleanToken(token) : undefined;
  if (token && cleaned === undefined) return problem('answered with a token that cannot be sent in an HTTP header');
  const authorization = cleaned === undefined ? {} : { authorization: `Bearer ${cleaned}` };
  if (!certificate && !key) return { kind: 'credentials', credentials: authorization, expiresAt };

  if (!certificate || !key) return problem('answered with only one of client certificate and key');
  const wrong = pairProblem(certificate, key);
  if (wrong) return problem(wrong);
  return { kind: 'credentials', credentials: { ...authorization, certificate, key }, expiresAt };
}

function pairProblem(certificate: string, key: string): string | undefined {
  const badCertificate = pemProblem(certificate, 'certificate');
  if (badCertificate) return `answered with a clientCertificateData that ${badCertificate}`;
  const badKey = pemProblem(key, 'key');
  if (badKey) return `answered with a clientKeyData that ${badKey}`;
  const badPair = keyPairProblem(certificate, key);
  return badPair && `answered with a client certificate and key that ${badPair}`;
}

function problem(text: string): ExecAnswer {
  return { kind: 'problem', problem: text };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // The parser's message quotes the text, which may hold a token.
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
