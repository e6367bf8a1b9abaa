import { cp, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';

/** The `exports` of a package, of which each entry names its source and its built file. */
type Exports = Record<string, { readonly 'klutch-source': string; readonly default: string }>;

/** Bundles every package into its `dist` for plain Node; packages of ours and from the registry stay imports. */
for (const name of await readdir('packages')) {
  const folder = join('packages', name);
  const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { exports: Exports };
  const entryPoints = Object.values(exports).map((entry) => ({
    in: resolve(folder, entry['klutch-source']),
    out: entry.default.replace(/^\.\/dist\//, '').replace(/\.js$/, ''),
  }));
  await build({
    entryPoints,
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  });
  // Data that code reads from the folder it is in.
  for (const file of await readdir(join(folder, 'src'), { recursive: true })) {
    if (file.endsWith('.jsonl') && file.includes('published/'))
      await cp(join(folder, 'src', file), join(folder, 'dist', basename(file)));
  }
  console.log(`built ${name}`);
}
