import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { KitError } from '../kit-error.ts';
import { BINARY_NAMES, type Binaries } from './binaries.ts';
import { buildBinaries } from './build.ts';
import { findGo } from './go-toolchain.ts';
import { GO_SOURCES, readRecipe } from './recipe.ts';

/** Where to look and whom to tell. */
export interface ResolveOptions {
  /**
   * Read for `KUBEBUILDER_ASSETS`, `KLUTCH_DEX`, `KLUTCH_KEYCLOAK`, `KLUTCH_KIT_CACHE`, `XDG_CACHE_HOME` and `PATH`.
   * Default: this process's.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Folder of the Go modules to build. Default: the kit's own. */
  readonly goSources?: string;
  /** Receives progress lines. Default: standard error. */
  readonly report?: (line: string) => void;
}

/**
 * Finds the programs of a plane: in `KUBEBUILDER_ASSETS`, else in the cache, else built from source with the machine's
 * Go and kept in the cache. Rejects with the reason when none of these is possible.
 */
export async function resolveBinaries(options: ResolveOptions = {}): Promise<Binaries> {
  const { env = process.env, goSources = GO_SOURCES, report = reportToStderr } = options;
  if (env.KUBEBUILDER_ASSETS) return fromAssets(env.KUBEBUILDER_ASSETS);

  const recipe = await readRecipe(goSources);
  const cacheRoot = cacheRootOf(env);
  const folder = join(cacheRoot, recipe.key);
  const cached = await completeSet(folder);
  if (cached) return cached;

  const go = await findGo(recipe.minimumGo, env);
  if (!go.usable) {
    throw missing(`KUBEBUILDER_ASSETS is not set, nothing is cached in ${cacheRoot}, and ${go.reason}`);
  }
  const isBuilt = async () => (await completeSet(folder)) !== undefined;
  await buildBinaries({ recipe, cacheRoot, env, report, isBuilt });
  const built = await completeSet(folder);
  if (built) return built;
  throw missing(`the build left no complete set of programs in ${folder}`);
}

/** The folder that holds built programs, one folder per recipe. */
export function cacheRootOf(env: NodeJS.ProcessEnv): string {
  if (env.KLUTCH_KIT_CACHE) return env.KLUTCH_KIT_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'klutch', 'kit');
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

/** Whether a file is there and this user may run it. */
export async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The error for programs that cannot be had. */
export function missing(reason: string): KitError {
  return new KitError('KLUTCH_KIT_BINARIES_MISSING', reason);
}

/** Tells the user on standard error. */
export function reportToStderr(line: string): void {
  process.stderr.write(`kit: ${line}\n`);
}
