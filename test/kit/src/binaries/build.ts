import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { KitError } from '../kit-error.ts';
import { startComponent } from '../process/component.ts';
import { logTail } from '../process/log-tail.ts';
import { keepInCache, type KeepOptions } from './keep-in-cache.ts';
import type { Recipe, RecipeStep } from './recipe.ts';

/** What {@link buildBinaries} needs to know. */
export interface BuildOptions extends Pick<KeepOptions, 'cacheRoot' | 'report'> {
  readonly recipe: Recipe;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the result is there by now. */
  readonly isBuilt: () => Promise<boolean>;
}

/** Builds all programs of a recipe from source into the cache. */
export async function buildBinaries({ recipe, cacheRoot, env, report, isBuilt }: BuildOptions): Promise<void> {
  const make = async (folder: string, logFile: string) => {
    for (const step of recipe.steps) {
      report(`building ${step.title} from source, ${step.duration}, once`);
      await runGo(step, folder, logFile, env);
      await keepFolder(step, folder, env);
    }
  };
  await keepInCache({ cacheRoot, key: recipe.key, report, isKept: isBuilt, make });
}

async function runGo(step: RecipeStep, output: string, logFile: string, env: NodeJS.ProcessEnv): Promise<void> {
  const go = await startComponent({
    name: 'go',
    command: 'go',
    args: ['build', '-trimpath', '-mod=readonly', `-ldflags=${step.linkerFlags}`, '-o', `${output}/`, ...step.packages],
    cwd: step.module,
    logFile,
    env: withoutWorkspace(env),
  });
  const { code } = await go.exited;
  if (code === 0) return;
  throw new KitError('KLUTCH_KIT_BUILD_FAILED', `cannot build ${step.title}:\n${await logTail(logFile, 10)}`);
}

async function keepFolder({ module, kept }: RecipeStep, output: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (kept === undefined) return;
  const options = { cwd: module, env: withoutWorkspace(env) };
  const { stdout } = await promisify(execFile)('go', ['list', '-m', '-f', '{{.Dir}}', kept.of], options);
  const [from, to] = [join(stdout.trim(), kept.folder), join(output, kept.as)];
  await mkdir(to);
  // Go keeps modules read-only, and a folder that was copied with its mode could not be removed again.
  for (const file of await readdir(from)) await writeFile(join(to, file), await readFile(join(from, file)));
}

/** A workspace file above the repository must not take part. */
function withoutWorkspace(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, GOWORK: 'off' };
}
