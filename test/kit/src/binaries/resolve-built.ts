import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { KitError } from '../kit-error.ts';
import { buildBinaries } from './build.ts';
import { findGo } from './go-toolchain.ts';
import type { Recipe } from './recipe.ts';

/** Where to look and whom to tell. */
export interface ResolveOptions {
  /**
   * Read for `KUBEBUILDER_ASSETS`, `KLUTCH_CROSSPLANE`, `KLUTCH_DEX`, `KLUTCH_KEYCLOAK`, `KLUTCH_KIT_CACHE`,
   * `XDG_CACHE_HOME` and `PATH`. Default: this process's.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Folder of the Go modules to build. Default: the kit's own. */
  readonly goSources?: string;
  /** Receives progress lines. Default: standard error. */
  readonly report?: (line: string) => void;
}

/** What {@link resolveBuilt} looks for. */
export interface Built<T> {
  readonly recipe: Recipe;
  /** The variable that would have named the programs, for the error message. */
  readonly variable: string;
  /** What is in a folder, or undefined when something is missing. */
  readonly find: (folder: string) => Promise<T | undefined>;
}

/**
 * Finds what a recipe makes: in the cache, else built from source with the machine's Go and kept in the cache. Rejects
 * with the reason when neither is possible.
 */
export async function resolveBuilt<T>({ recipe, variable, find }: Built<T>, options: ResolveOptions): Promise<T> {
  const { env = process.env, report = reportToStderr } = options;
  const cacheRoot = cacheRootOf(env);
  const folder = join(cacheRoot, recipe.key);
  const cached = await find(folder);
  if (cached !== undefined) return cached;

  const go = await findGo(recipe.minimumGo, env);
  if (!go.usable) {
    throw missing(`${variable} is not set, nothing is cached in ${cacheRoot}, and ${go.reason}`);
  }
  const isBuilt = async () => (await find(folder)) !== undefined;
  await buildBinaries({ recipe, cacheRoot, env, report, isBuilt });
  const built = await find(folder);
  if (built !== undefined) return built;
  throw missing(`the build left no complete set of programs in ${folder}`);
}

/** The folder that holds built programs, one folder per recipe. */
export function cacheRootOf(env: NodeJS.ProcessEnv): string {
  if (env.KLUTCH_KIT_CACHE) return env.KLUTCH_KIT_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'klutch', 'kit');
}

/** Whether a file is there and this user may run it; of a folder, whether this user may enter it. */
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
