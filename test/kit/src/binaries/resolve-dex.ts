import { join } from 'node:path';

import { readDexRecipe } from './recipe.ts';
import { isExecutable, missing, resolveBuilt, type ResolveOptions } from './resolve-built.ts';

/**
 * Finds Dex: the program that `KLUTCH_DEX` names, else in the cache, else built from source with the machine's Go and
 * kept in the cache. Rejects with the reason when none of these is possible.
 */
export async function resolveDex(options: ResolveOptions = {}): Promise<string> {
  const { env = process.env, goSources } = options;
  if (env.KLUTCH_DEX) {
    if (await isExecutable(env.KLUTCH_DEX)) return env.KLUTCH_DEX;
    throw missing(`KLUTCH_DEX is set, but ${env.KLUTCH_DEX} is not a program`);
  }
  const recipe = await readDexRecipe(goSources);
  const find = async (folder: string) => {
    const dex = join(folder, 'dex');
    return (await isExecutable(dex)) ? dex : undefined;
  };
  return resolveBuilt({ recipe, variable: 'KLUTCH_DEX', find }, options);
}
