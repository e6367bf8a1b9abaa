import { join } from 'node:path';

import { BINARY_NAMES, type Binaries } from './binaries.ts';
import { readRecipe } from './recipe.ts';
import { isExecutable, missing, resolveBuilt, type ResolveOptions } from './resolve-built.ts';

/**
 * Finds the programs of a plane: in `KUBEBUILDER_ASSETS`, else in the cache, else built from source with the machine's
 * Go and kept in the cache. Rejects with the reason when none of these is possible.
 */
export async function resolveBinaries(options: ResolveOptions = {}): Promise<Binaries> {
  const { env = process.env, goSources } = options;
  if (env.KUBEBUILDER_ASSETS) return fromAssets(env.KUBEBUILDER_ASSETS);
  const recipe = await readRecipe(goSources);
  return resolveBuilt({ recipe, variable: 'KUBEBUILDER_ASSETS', find: completeSet }, options);
}

async function fromAssets(folder: string): Promise<Binaries> {
  const { etcd, kubeApiserver, kubeControllerManager } = programsIn(folder);
  for (const program of [etcd, kubeApiserver]) {
    if (!(await isExecutable(program))) throw missing(`KUBEBUILDER_ASSETS is set, but ${program} is not a program`);
  }
  return { etcd, kubeApiserver, ...((await isExecutable(kubeControllerManager)) ? { kubeControllerManager } : {}) };
}

async function completeSet(folder: string): Promise<Binaries | undefined> {
  const programs = programsIn(folder);
  const present = await Promise.all(Object.values(programs).map(isExecutable));
  return present.every(Boolean) ? programs : undefined;
}

function programsIn(folder: string): Required<Binaries> {
  return {
    etcd: join(folder, BINARY_NAMES.etcd),
    kubeApiserver: join(folder, BINARY_NAMES.kubeApiserver),
    kubeControllerManager: join(folder, BINARY_NAMES.kubeControllerManager),
  };
}
