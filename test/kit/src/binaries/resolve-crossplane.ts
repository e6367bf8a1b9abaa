import { join } from 'node:path';

import { CROSSPLANE_RELEASES, type CrossplaneVersion, DEFAULT_CROSSPLANE } from './crossplane-releases.ts';
import { readCrossplaneRecipe } from './recipe.ts';
import { isExecutable, missing, resolveBuilt, type ResolveOptions } from './resolve-built.ts';

/** Where Crossplane and what belongs to it are. */
export interface CrossplaneFiles {
  readonly crossplane: string;
  /** The function that the Compositions of Klutch run. */
  readonly functionPatchAndTransform: string;
  /** Folder with the CRDs of Crossplane itself. */
  readonly crds: string;
}

/**
 * Finds Crossplane: in the folder that `KLUTCH_CROSSPLANE` names, else in the cache, else built from source with the
 * machine's Go and kept in the cache. Rejects with the reason when none of these is possible.
 */
export async function resolveCrossplane(
  options: ResolveOptions = {},
  version: CrossplaneVersion = DEFAULT_CROSSPLANE,
): Promise<CrossplaneFiles> {
  const { env = process.env, goSources } = options;
  const { variable } = CROSSPLANE_RELEASES[version];
  const folder = env[variable];
  if (folder) {
    const given = await completeSet(folder);
    if (given !== undefined) return given;
    throw missing(`${variable} is set, but ${folder} does not hold ${Object.values(filesIn('')).join(', ')}`);
  }
  const recipe = await readCrossplaneRecipe(version, goSources);
  return resolveBuilt({ recipe, variable, find: completeSet }, options);
}

async function completeSet(folder: string): Promise<CrossplaneFiles | undefined> {
  const files = filesIn(folder);
  const present = await Promise.all(Object.values(files).map(isExecutable));
  return present.every(Boolean) ? files : undefined;
}

function filesIn(folder: string): CrossplaneFiles {
  return {
    crossplane: join(folder, 'crossplane'),
    functionPatchAndTransform: join(folder, 'function-patch-and-transform'),
    crds: join(folder, 'crds'),
  };
}
