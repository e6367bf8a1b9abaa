import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { KitError } from '../kit-error.ts';
import { startComponent } from '../process/component.ts';
import { logTail } from '../process/log-tail.ts';
import { createOwnedFolder } from '../process/owned-folder.ts';
import { withLock } from './build-lock.ts';
import type { Recipe, RecipeStep } from './recipe.ts';

/** What {@link buildBinaries} needs to know. */
export interface BuildOptions {
  readonly recipe: Recipe;
  /** The result becomes `<cacheRoot>/<key>`. */
  readonly cacheRoot: string;
  readonly env: NodeJS.ProcessEnv;
  /** Receives progress lines for the user. */
  readonly report: (line: string) => void;
  /** Whether the result is there by now; asked again under the lock, for another process may have built it meanwhile. */
  readonly isBuilt: () => Promise<boolean>;
}

/**
 * Builds all programs from source into the cache. The folder appears complete or not at all; processes that ask at the
 * same time build once.
 */
export async function buildBinaries(options: BuildOptions): Promise<void> {
  const { recipe, cacheRoot, report } = options;
  await withLock(join(cacheRoot, `${recipe.key}.lock`), () => buildUnlessBuilt(options), {
    onWait: ({ pid }) => report(`waiting for process ${pid}, which is building ${recipe.key}`),
  });
}

async function buildUnlessBuilt({ recipe, cacheRoot, env, report, isBuilt }: BuildOptions): Promise<void> {
  if (await isBuilt()) return;
  const started = performance.now();
  const folder = join(cacheRoot, recipe.key);
  const draft = await createOwnedFolder(join(cacheRoot, 'building'));
  try {
    const programs = join(draft, 'programs');
    await mkdir(programs);
    for (const step of recipe.steps) {
      report(`building ${step.title} from source, ${step.duration}, once`);
      await runGo(step, programs, join(draft, 'build.log'), env);
    }
    // What is there is incomplete, or `isBuilt` would have said so.
    await rm(folder, { recursive: true, force: true });
    await rename(programs, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  report(`built in ${Math.round((performance.now() - started) / 1000)} s, kept in ${folder}`);
}

async function runGo(step: RecipeStep, output: string, logFile: string, env: NodeJS.ProcessEnv): Promise<void> {
  const go = await startComponent({
    name: 'go',
    command: 'go',
    args: ['build', '-trimpath', '-mod=readonly', `-ldflags=${step.linkerFlags}`, '-o', `${output}/`, ...step.packages],
    cwd: step.module,
    logFile,
    // A workspace file above the repository must not take part.
    env: { ...env, GOWORK: 'off' },
  });
  const { code } = await go.exited;
  if (code === 0) return;
  throw new KitError('KLUTCH_KIT_BUILD_FAILED', `cannot build ${step.title}:\n${await logTail(logFile, 10)}`);
}
