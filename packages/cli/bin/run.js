import { existsSync } from 'node:fs';
import { register } from 'node:module';

/**
 * Runs the command line. A built command starts fastest. In a checkout that was not built, or with KLUTCH_SOURCE=1, the source itself
 * runs. `name` is what users call the program in their shell.
 */
export async function run(args, name) {
  const built = new URL('../dist/main.js', import.meta.url);
  const isBuilt = existsSync(built) && process.env.KLUTCH_SOURCE !== '1';
  if (!isBuilt) {
    (await import('tsx/esm/api')).register();
    register('./source-condition.js', import.meta.url);
  }
  const { main } = await import(isBuilt ? built.href : new URL('../src/main.ts', import.meta.url).href);
  process.exitCode = await main(args, undefined, name);
}
