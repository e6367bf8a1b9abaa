import { join } from 'node:path';

import { buildBinaries } from './build.ts';
import { findGo } from './go-toolchain.ts';
import { GO_SOURCES, readDexRecipe } from './recipe.ts';
import { cacheRootOf, isExecutable, missing, reportToStderr, type ResolveOptions } from './resolve.ts';

/**
 * Finds Dex: the program that `KLUTCH_DEX` names, else in the cache, else built from source with the machine's Go and
 * kept in the cache. Rejects with the reason when none of these is possible.
 */
export async function resolveDex(options: ResolveOptions = {}): Promise<string> {
  const { env = process.env, goSources = GO_SOURCES, report = reportToStderr } = options;
  if (env.KLUTCH_DEX) {
    if (await isExecutable(env.KLUTCH_DEX)) return env.KLUTCH_DEX;
    throw missing(`KLUTCH_DEX is set, but ${env.KLUTCH_DEX} is not a program`);
  }
  const recipe = await readDexRecipe(goSources);
  const cacheRoot = cacheRootOf(env);
  const dex = join(cacheRoot, recipe.key, 'dex');
  if (await isExecutable(dex)) return dex;

  const go = await findGo(recipe.minimumGo, env);
  if (!go.usable) {
    throw missing(`KLUTCH_DEX is not set, nothing is cached in ${cacheRoot}, and ${go.reason}`);
  }
  await buildBinaries({ recipe, cacheRoot, env, report, isBuilt: () => isExecutable(dex) });
  if (await isExecutable(dex)) return dex;
  throw missing(`the build left no ${dex}`);
}
