import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { defaultLayer } from '@klutch/catalog';
import { build } from 'esbuild';
import { afterEach, expect, it } from 'vitest';

const folders: string[] = [];
const source = (path: string) => fileURLToPath(new URL(`../packages/catalog/${path}`, import.meta.url));

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

it('finds the default catalogue beside its dist when it is built and installed elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-catalog-'));
  folders.push(folder);
  const outfile = join(folder, 'dist', 'index.js');
  await build({
    entryPoints: [source('src/default-layer.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  await cp(source('catalogue'), join(folder, 'catalogue'), { recursive: true });

  const built = (await import(pathToFileURL(outfile).href)) as { defaultLayer: typeof defaultLayer };
  expect((await built.defaultLayer()).map(({ path }) => path)).toContain('services/postgresql.yaml');
});
