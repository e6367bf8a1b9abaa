import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import {
  type Catalogue,
  defaultLayer,
  limitProblems,
  type Problem,
  type Reading,
  readCatalogue,
  readLayer,
  type SourceFile,
} from '@klutch/catalog';

/** A catalogue, and the files it was read from: later ones override earlier ones. */
export interface FolderReading extends Reading {
  readonly files: readonly SourceFile[];
}

/** What the catalogue of klutch and the folders make together. Throws `KLUTCH_USAGE` for a folder that cannot be read. */
export async function readFolders(folders: readonly string[]): Promise<FolderReading> {
  const layers = [await defaultLayer(), ...(await Promise.all(folders.map(layerOf)))];
  const [reading, files] = [readCatalogue(layers), layers.flat()];
  const limits = reading.catalogue ? limitProblems(reading.catalogue) : [];
  const located = limits.map((problem) => ({ ...problem, file: writtenIn(problem.file, files)?.path ?? problem.file }));
  return { ...reading, problems: [...reading.problems, ...located], files };
}

/** The file of a catalogue that was read last, and so overrides others: `services/mariadb.yaml`. */
export function writtenIn(path: string, files: readonly SourceFile[]): SourceFile | undefined {
  return files.findLast((file) => file.path === path || file.path.endsWith(`/${path}`));
}

/** The same for commands that need a catalogue. Throws `KLUTCH_CATALOGUE_INVALID` with all that is wrong. */
export async function catalogueFrom(folders: readonly string[]): Promise<Catalogue> {
  const { catalogue, problems } = await readFolders(folders);
  if (catalogue && problems.length === 0) return catalogue;
  throw new KlutchError(
    'KLUTCH_CATALOGUE_INVALID',
    ['The catalogue has problems:', ...problems.map(problemLine)].join('\n'),
  );
}

/** Pure: a problem as compilers write them. */
export function problemLine({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}: ${message}`;
}

async function layerOf(folder: string): Promise<readonly SourceFile[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new KlutchError(
      'KLUTCH_USAGE',
      `There is no folder ${resolve(folder)}; name one with services/, backends/ or operations/.`,
    );
  }
  return await readLayer(folder);
}
