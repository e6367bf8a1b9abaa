import type { ConfigFile } from './config-file.ts';

/**
 * Merges kubeconfigs as client-go does: the first file to name a cluster, user or context provides the whole entry, and
 * nothing of a later entry of that name is used; the first `current-context` that is set wins.
 */
export function mergeConfigFiles(files: readonly ConfigFile[]): ConfigFile {
  return {
    source: files.map((file) => file.source).join(', '),
    currentContext: files.find((file) => file.currentContext)?.currentContext,
    clusters: firstWins(files.map((file) => file.clusters)),
    users: firstWins(files.map((file) => file.users)),
    contexts: firstWins(files.map((file) => file.contexts)),
  };
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}
