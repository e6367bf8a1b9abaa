import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { codeOf, fileProblem } from '../auth/file-problem.ts';
import { KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { type ConfigFile, isEmptyConfig, readConfigFile } from './config-file.ts';
import { checkFiles } from './file-reference.ts';
import { inClusterConfig } from './in-cluster.ts';
import { mergeConfigFiles } from './merge.ts';
import { emptyKubeconfig } from './parse.ts';
import { type OtherEntries, resolveContext } from './resolve.ts';
import { refuseUntrusted, type Trust } from './trust.ts';

/** Where {@link loadKubeconfig} looks and what it accepts. */
export interface LoadOptions {
  /** This file and no other; it must exist. */
  readonly path?: string;
  /** Context to use instead of the current one. */
  readonly context?: string;
  /** Entries of the kubeconfig to use in place of those the context names. */
  readonly other?: OtherEntries;
  /** Where `KUBECONFIG`, `HOME` and the variables of a pod are read from. Default: those of the process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the files may name commands, other files and proxies; see {@link Trust}. Default `local`. */
  readonly trust?: Trust;
  /** Where a pod finds its service account. Default: where Kubernetes mounts it. */
  readonly serviceAccountFolder?: string;
}

/**
 * Finds the configuration of a client as kubectl does: the given file; else the files of `KUBECONFIG`, merged, missing
 * ones skipped; else `~/.kube/config`; else, when these are missing or empty, the service account of the pod. Files that
 * the chosen context names are read once to see that they are usable.
 *
 * Throws `KUBE_CONFIG_UNREADABLE`, `KUBE_CONFIG_INVALID` or, for `trust: 'foreign'`, `KUBE_CONFIG_UNTRUSTED`. Unlike
 * kubectl, an empty `path` file is an error and not a reason to use the service account.
 */
export async function loadKubeconfig(options: LoadOptions = {}): Promise<ClusterConfig> {
  const env = options.env ?? process.env;
  const trust = options.trust ?? 'local';
  if (options.path) return loadFiles([await readExisting(options.path, trust)], options);
  const places = defaultPaths(env);
  const files = (await Promise.all(places.map((path) => readIfPresent(path, trust)))).filter(
    (file) => file !== undefined,
  );
  if (files.some((file) => !isEmptyConfig(file)) || options.context) return loadFiles(files, options, places);
  const config = await inClusterConfig(env, options.serviceAccountFolder);
  if (config) return config;
  throw nothingFound(places);
}

async function loadFiles(
  files: readonly ConfigFile[],
  { context, other }: Pick<LoadOptions, 'context' | 'other'>,
  places?: readonly string[],
): Promise<ClusterConfig> {
  const merged = mergeConfigFiles(files);
  if (isEmptyConfig(merged)) throw places ? nothingFound(places) : emptyKubeconfig(merged.source);
  const { config, files: referenced } = resolveContext(merged, context, other);
  await checkFiles(referenced);
  return config;
}

function defaultPaths(env: NodeJS.ProcessEnv): string[] {
  if (!env.KUBECONFIG) return [join(env.HOME || homedir(), '.kube', 'config')];
  return [...new Set(env.KUBECONFIG.split(delimiter).filter((path) => path !== ''))];
}

async function readExisting(path: string, trust: Trust): Promise<ConfigFile> {
  const file = await readIfPresent(path, trust);
  if (file) return file;
  throw new KubeError('KUBE_CONFIG_UNREADABLE', `The kubeconfig ${resolve(path)} does not exist. Check the path.`);
}

async function readIfPresent(path: string, trust: Trust): Promise<ConfigFile | undefined> {
  const absolute = resolve(path);
  const text = await readText(absolute);
  if (text === undefined) return undefined;
  const file = readConfigFile(text, absolute, dirname(absolute));
  if (trust === 'foreign') refuseUntrusted(file);
  return file;
}

async function readText(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    const advice = 'Name a file that this user may read.';
    throw new KubeError('KUBE_CONFIG_UNREADABLE', `The kubeconfig ${path} ${fileProblem(cause)}. ${advice}`, { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `The kubeconfig ${path} is not UTF-8 text. Save it as UTF-8; some Windows shells write UTF-16.`;
    throw new KubeError('KUBE_CONFIG_UNREADABLE', message, { cause });
  }
}

function nothingFound(places: readonly string[]): KubeError {
  const looked = places.map((path) => resolve(path)).join(', ') || 'KUBECONFIG, which names no file';
  const advice = 'Name a kubeconfig or set KUBECONFIG; only a pod with a service account can do without.';
  return new KubeError('KUBE_CONFIG_UNREADABLE', `No kubeconfig found. Looked at ${looked}. ${advice}`);
}
