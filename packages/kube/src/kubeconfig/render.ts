import { stringify } from 'yaml';

/** What goes into a kubeconfig of one cluster, one user and one context. */
export interface KubeconfigContent {
  /** URL of the API server, written exactly as given: other tools compare it byte by byte. */
  readonly server: string;
  /** Certificates the server's certificate must be signed by, as PEM. */
  readonly ca?: string;
  /** Name the server's certificate must carry instead of the host of `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** How the user authenticates; certificate and key as PEM. Default: not at all. */
  readonly user?: { readonly token: string } | { readonly certificate: string; readonly key: string };
  /** Namespace of the context. */
  readonly namespace?: string;
  /** Names of the entries. Default: `default` for each. */
  readonly names?: { readonly cluster?: string; readonly user?: string; readonly context?: string };
}

/**
 * Writes a kubeconfig that holds everything itself: no command, no file reference. The same content always gives the same
 * text. {@link parseKubeconfig} and client-go read it back unchanged. Does not check the content.
 */
export function renderKubeconfig(content: KubeconfigContent): string {
  const { cluster = 'default', user = 'default', context = 'default' } = content.names ?? {};
  const document = {
    apiVersion: 'v1',
    clusters: [{ cluster: renderCluster(content), name: cluster }],
    contexts: [{ context: { cluster, namespace: content.namespace || undefined, user }, name: context }],
    'current-context': context,
    kind: 'Config',
    users: [{ name: user, user: renderUser(content.user) }],
  };
  // Go reads YAML 1.1, where a bare n, on or 1:30 is not text; `compat` quotes these.
  return stringify(document, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false });
}

function renderCluster(content: KubeconfigContent): Record<string, unknown> {
  return {
    'certificate-authority-data': content.ca ? base64(content.ca) : undefined,
    'insecure-skip-tls-verify': content.insecureSkipTlsVerify || undefined,
    server: content.server,
    'tls-server-name': content.tlsServerName || undefined,
  };
}

function renderUser(user: KubeconfigContent['user']): Record<string, unknown> {
  if (user === undefined) return {};
  if ('token' in user) return { token: user.token };
  return { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) };
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
