import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './model/files/source.ts';

/** The catalogue that ships with Klutch. Its folder is beside the one this file is in, in source as in `dist`. */
export function defaultLayer(): Promise<readonly SourceFile[]> {
  return readLayer(fileURLToPath(new URL('../catalogue', import.meta.url)), '');
}

/** The YAML files of a catalogue's folder. Problems name them by their path from `shownAs`. */
export async function readLayer(folder: string, shownAs = folder): Promise<readonly SourceFile[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.yaml')).sort();
  return Promise.all(
    paths.map(async (path) => ({ path: join(shownAs, path), text: await readFile(join(folder, path), 'utf8') })),
  );
}
