import { KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from '../kubeconfig/cluster-config.ts';

type Addresses = Pick<ClusterConfig, 'server' | 'source' | 'proxyUrl'>;

/**
 * The address of the API server as a URL. Throws `KUBE_CONFIG_INVALID` for one that cannot be used or that holds a user
 * and password, which every message that names the server would repeat.
 */
export function serverUrl({ server, source }: Addresses): URL {
  if (!URL.canParse(server)) throw invalid(source, 'the address of the API server is not a URL');
  const url = new URL(server);
  if (url.username || url.password) throw invalid(source, 'the address of the API server must not hold credentials');
  return url;
}

/** The proxy without the password that its URL may hold, for people; undefined when there is none. */
export function proxyName({ proxyUrl, source }: Addresses): string | undefined {
  if (proxyUrl === undefined) return undefined;
  if (!URL.canParse(proxyUrl)) throw invalid(source, 'the address of the proxy is not a URL');
  return new URL(proxyUrl).origin;
}

function invalid(source: string, problem: string): KubeError {
  return new KubeError('KUBE_CONFIG_INVALID', `${source}: ${problem}. Give one such as https://host:6443.`);
}
