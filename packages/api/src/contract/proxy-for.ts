import { BlockList, isIP } from 'node:net';
import type { ClusterConfig } from '@klutch/kube';
import { KlutchError } from '../errors/klutch-error.ts';
import { isLoopback } from './loopback.ts';

/**
 * Pure: the proxy through which an address is reached, by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case, as kubectl and
 * other programs in Go read them. Undefined when it is reached directly, as this machine always is. Throws `KLUTCH_USAGE` for a
 * variable that names no http proxy.
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = (env[name] || env[name.toLowerCase()] || '').trim();
  if (value === '' || isLoopback(url)) return undefined;
  const excluded = env['NO_PROXY'] || env['no_proxy'] || '';
  if (excluded.split(',').some((entry) => isMeant(entry.trim().toLowerCase(), url))) return undefined;
  return proxyUrl(name, value);
}

/** The same cluster, reached through the proxy that the environment names unless its kubeconfig or a flag names one. */
export function throughProxy(config: ClusterConfig, env: NodeJS.ProcessEnv): ClusterConfig {
  if (config.proxyUrl !== undefined || !URL.canParse(config.server)) return config;
  const proxy = proxyFor(new URL(config.server), env);
  return proxy === undefined ? config : { ...config, proxyUrl: proxy };
}

function proxyUrl(name: string, value: string): string {
  const text = value.includes('://') ? value : `http://${value}`;
  if (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)) return text;
  throw new KlutchError(
    'KLUTCH_USAGE',
    `The variable ${name} does not name an http or https proxy, such as http://proxy.example:3128. Correct it, or unset it.`,
  );
}

/** Whether an entry of `NO_PROXY` means the host: `*`, a name with all below it, `.name` for what is below it only, an address, or a network. */
function isMeant(entry: string, url: URL): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (entry.includes('/')) return isInNetwork(host, entry);
  const [, name = '', port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  if (isIP(host) !== 0) return isIP(name) !== 0 && isInNetwork(host, `${name}/${isIP(name) === 6 ? 128 : 32}`);
  const suffix = name.replace(/^\*/, '');
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const family = isIP(address);
  const size = Number(bits);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || size > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, size, family === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
