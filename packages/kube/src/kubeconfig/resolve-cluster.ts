import { pemProblem } from '../auth/pem.ts';
import type { ClusterConfig, PemSource } from './cluster-config.ts';
import type { ClusterEntry } from './config-file.ts';
import type { Field } from './fields.ts';
import { type FileReference, fileReference } from './file-reference.ts';
import { invalidField } from './place.ts';

/** What a cluster entry contributes to a {@link ClusterConfig}. */
export interface ResolvedCluster
  extends Pick<ClusterConfig, 'server' | 'ca' | 'tlsServerName' | 'insecureSkipTlsVerify' | 'proxyUrl'> {
  /** Handed to an exec plugin that asks for the cluster. */
  readonly execConfig?: unknown;
  readonly files: readonly FileReference[];
}

/** Checks a cluster entry and brings it into the form clients use. */
export function resolveCluster(entry: ClusterEntry): ResolvedCluster {
  const { certificateAuthority: file, certificateAuthorityData: data } = entry;
  if (file && data) {
    throw invalidField(file.place, 'is given together with certificate-authority-data. Remove one of them.');
  }
  const insecure = entry.insecureSkipTlsVerify?.value === true ? entry.insecureSkipTlsVerify : undefined;
  if (insecure && (file || data)) {
    throw invalidField(
      insecure.place,
      'contradicts the certificate authority of the same cluster. Remove one of them.',
    );
  }
  const reference = file && fileReference(file, entry.folder, 'certificate');
  return {
    server: checkedServer(entry),
    ca: reference ? { from: 'file', path: reference.path } : pemData(data, 'certificate'),
    tlsServerName: entry.tlsServerName?.value,
    insecureSkipTlsVerify: insecure?.value,
    proxyUrl: checkedProxy(entry.proxyUrl),
    execConfig: entry.execConfig?.value,
    files: reference ? [reference] : [],
  };
}

/** PEM that is embedded in the kubeconfig, its structure checked. */
export function pemData(field: Field<string> | undefined, content: 'certificate' | 'key'): PemSource | undefined {
  if (field === undefined) return undefined;
  const problem = pemProblem(field.value, content);
  if (problem) throw invalidField(field.place, `${problem}.`);
  return { from: 'data', pem: field.value };
}

function checkedServer({ server, place }: ClusterEntry): string {
  if (server === undefined) {
    throw invalidField(place.at('server'), 'is missing. Give the URL of the API server, such as https://host:6443.');
  }
  const url = httpUrl(server.value);
  if (url === undefined) throw invalidField(server.place, 'is not a URL such as https://host:6443.');
  if (url.username || url.password) {
    throw invalidField(server.place, 'must not hold a user name or password. Move them to the user entry.');
  }
  return withoutTail(server.value.trim());
}

/** The text as written but for query, fragment and slashes at the end: other tools compare it byte by byte. */
function withoutTail(server: string): string {
  const base = server.split(/[?#]/, 1)[0] ?? '';
  let end = base.length;
  while (base[end - 1] === '/') end -= 1;
  return base.slice(0, end);
}

function checkedProxy(proxy: Field<string> | undefined): string | undefined {
  if (proxy === undefined) return undefined;
  if (/^socks5h?:/i.test(proxy.value)) {
    throw invalidField(proxy.place, 'SOCKS proxies are not supported. Use an http or https proxy.');
  }
  if (httpUrl(proxy.value) === undefined) throw invalidField(proxy.place, 'is not a URL such as http://proxy:3128.');
  return proxy.value;
}

function httpUrl(text: string): URL | undefined {
  // A bare "host:port" parses as a URL with the scheme "host:".
  if (!/^https?:\/\//i.test(text.trim()) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
