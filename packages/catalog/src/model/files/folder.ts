import { merge } from './merge.ts';
import { parseYaml } from './parse.ts';
import { type Problem, problemAt, type SourceFile } from './source.ts';
import type { MapTree } from './tree.ts';

export type Part = 'services' | 'backends' | 'operations';

/** All files of all layers: by part and by name, each as it is after later layers were merged over earlier ones. */
export type Folder = Readonly<Record<Part, ReadonlyMap<string, MapTree>>>;

/** Reads layers, of which later ones add to earlier ones or override them. */
export function readFolder(layers: readonly (readonly SourceFile[])[]): {
  readonly folder: Folder;
  readonly problems: readonly Problem[];
} {
  const folder = { services: new Map(), backends: new Map(), operations: new Map() } satisfies Record<
    Part,
    Map<string, MapTree>
  >;
  const problems: Problem[] = [];
  for (const file of layers.flat()) readInto(folder, file, (problem) => problems.push(problem));
  return { folder: mapParts(folder, sorted), problems };
}

function readInto(folder: Record<Part, Map<string, MapTree>>, file: SourceFile, say: (problem: Problem) => void): void {
  const start = { file: file.path, line: 1, column: 1 };
  const [, part, name] = /(?:^|\/)(services|backends|operations)\/([^/]+)\.yaml$/.exec(file.path) ?? [];
  if (part === undefined || name === undefined) {
    return say(
      problemAt(
        start,
        'A file of a catalogue is called services/<name>.yaml, backends/<name>.yaml or operations/<name>.yaml.',
      ),
    );
  }
  const { tree, problems } = parseYaml(file);
  problems.forEach(say);
  if (tree === undefined) return;
  if (tree.is !== 'map') return say(problemAt(tree.at, 'The file must hold keys and values, such as "kind: …".'));
  const files = folder[part as Part];
  files.set(name, merge(files.get(name), tree) as MapTree);
}

const sorted = (files: ReadonlyMap<string, MapTree>) => new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));

function mapParts(
  folder: Folder,
  change: (files: ReadonlyMap<string, MapTree>) => ReadonlyMap<string, MapTree>,
): Folder {
  return {
    services: change(folder.services),
    backends: change(folder.backends),
    operations: change(folder.operations),
  };
}
