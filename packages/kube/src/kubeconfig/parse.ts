import { KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { isEmptyConfig, readConfigFile } from './config-file.ts';
import { resolveContext } from './resolve.ts';
import { refuseUntrusted, type Trust } from './trust.ts';

/** How {@link parseKubeconfig} reads a text. */
export interface ParseOptions {
  /** Where the text came from, for messages, such as `Secret "klutch-bind/kubeconfig-7k2xq"`. */
  readonly source: string;
  /** Whether the text may name commands, files and proxies; see {@link Trust}. */
  readonly trust: Trust;
  /** Context to use instead of the current one. */
  readonly context?: string;
  /** Folder that relative file references start from. Default: the working folder of the process. */
  readonly folder?: string;
}

/** A Secret cannot hold more, so no honest sender does. */
const MAX_FOREIGN_CHARACTERS = 1024 * 1024;

/**
 * Reads a kubeconfig that is at hand as text, and resolves one context. Reads no file and runs nothing. Throws
 * `KUBE_CONFIG_UNREADABLE` (not YAML), `KUBE_CONFIG_INVALID` (a field is wrong) or, for foreign text,
 * `KUBE_CONFIG_UNTRUSTED`; messages name source, line and field and never hold a token, key or password.
 */
export function parseKubeconfig(text: string, options: ParseOptions): ClusterConfig {
  const { source, trust } = options;
  if (trust === 'foreign' && text.length > MAX_FOREIGN_CHARACTERS) {
    throw new KubeError('KUBE_CONFIG_UNREADABLE', `${source}: is larger than 1 MiB, too large for a kubeconfig.`);
  }
  const file = readConfigFile(text, source, options.folder ?? process.cwd());
  if (isEmptyConfig(file)) throw emptyKubeconfig(source);
  if (trust === 'foreign') refuseUntrusted(file);
  return resolveContext(file, options.context).config;
}

/** The error for a kubeconfig without any content. */
export function emptyKubeconfig(source: string): KubeError {
  const message = `${source}: is empty. A kubeconfig has at least a cluster, a context and current-context.`;
  return new KubeError('KUBE_CONFIG_INVALID', message);
}
