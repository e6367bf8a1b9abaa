import type { TSchema } from 'typebox';
import type { Catalogue, Operation } from './catalogue.ts';
import { checks } from './checks/checks.ts';
import { type Folder, type Part, readFolder } from './files/folder.ts';
import { emptyEntries, merge } from './files/merge.ts';
import { type Problem, problemAt, type SourceFile } from './files/source.ts';
import { emptyMap, entryOf, mapOf, type MapTree, objectOf, placeOf } from './files/tree.ts';
import { backendOf } from './normalise/backend.ts';
import { operationOf } from './normalise/operation.ts';
import { serviceOf } from './normalise/service.ts';
import {
  backendFile,
  type BackendFile,
  operationFile,
  type OperationFile,
  serviceFile,
  type ServiceFile,
} from './shape/files.ts';
import { shapeProblems } from './shape/shape-problems.ts';

export interface Reading {
  /** Undefined when there are problems. */
  readonly catalogue: Catalogue | undefined;
  /** In the order of files, lines and columns. What files mean together is looked at when each of them has the right shape. */
  readonly problems: readonly Problem[];
}

/** Pure: the catalogue that layers of files make together. Later layers add to earlier ones, or override them. */
export function readCatalogue(layers: readonly (readonly SourceFile[])[]): Reading {
  const { folder, problems } = readFolder(layers);
  const complete = withInstances(folder);
  const misshapen = [...problems, ...partsOf(complete).flatMap(misfits)];
  if (misshapen.length > 0) return { catalogue: undefined, problems: inOrder(misshapen) };
  const catalogue = catalogueOf(complete);
  const layerOf = (file: string) => layers.findIndex((layer) => layer.some(({ path }) => path === file));
  const found = checked(catalogue, complete, layerOf);
  return found.length > 0 ? { catalogue: undefined, problems: inOrder(found) } : { catalogue, problems: [] };
}

const shapes: Readonly<Record<Part, TSchema>> = {
  services: serviceFile,
  backends: backendFile,
  operations: operationFile,
};

interface NamedTree {
  readonly part: Part;
  readonly name: string;
  readonly tree: MapTree;
}

const partsOf = (folder: Folder): readonly NamedTree[] =>
  (['backends', 'operations', 'services'] as const).flatMap((part) =>
    [...folder[part]].map(([name, tree]) => ({ part, name, tree })),
  );

function misfits({ part, name, tree }: NamedTree): readonly Problem[] {
  return [...emptyEntries(tree), ...shapeProblems(shapes[part], tree), ...misnamed(part, name, tree)];
}

/** A file is found by its name, so what is in it has the same. */
function misnamed(part: Part, name: string, tree: MapTree): Problem[] {
  const key = part.slice(0, -1);
  const said = tree.entries.get(key)?.tree;
  if (said?.is !== 'value' || said.value === name) return [];
  return [problemAt(said.at, `The file is called ${name}.yaml, so "${key}" must be "${name}".`)];
}

/** Services with what the files of their backends say about instances, so that each part still knows where it is written. */
function withInstances(folder: Folder): Folder {
  const services = [...folder.services].map(([name, tree]) => [name, withInstancesOf(tree, folder)] as const);
  return { ...folder, services: new Map(services) };
}

function withInstancesOf(service: MapTree, { backends }: Folder): MapTree {
  const entry = service.entries.get('backends');
  if (entry?.tree.is !== 'map') return service;
  const filled = [...entry.tree.entries].map(([name, { at, tree }]) => {
    const instance = entryOf(backends.get(name), 'instance')?.tree ?? emptyMap(at);
    return [name, { at, tree: merge(instance, tree) }] as const;
  });
  const entries = new Map(service.entries).set('backends', { at: entry.at, tree: mapOf(filled, entry.tree.at) });
  return mapOf(entries, service.at);
}

/** The shapes of all files were checked, so they are what their types say. */
function catalogueOf(folder: Folder): Catalogue {
  const files = <T>(part: Part) => [...folder[part].values()].map((tree) => objectOf(tree) as T);
  const backendFiles = files<BackendFile>('backends');
  const through = new Map(backendFiles.map(({ backend, through }) => [backend, through]));
  const services = files<ServiceFile>('services').map((file) =>
    serviceOf(file, (backend) => through.get(backend) ?? 'resource'),
  );
  const backends = backendFiles.map((file) =>
    backendOf(
      file,
      services.filter((service) => service.backends.some(({ name }) => name === file.backend)).map(({ name }) => name),
    ),
  );
  const operations = files<OperationFile>('operations').map((file): Operation => operationOf(file, backends));
  return { services, backends, operations };
}

function checked(catalogue: Catalogue, folder: Folder, layerOf: (file: string) => number): Problem[] {
  return checks
    .flatMap((check) => check(catalogue))
    .map(({ part, name, path, alternatives = [], message }) => {
      const tree = folder[part].get(name) ?? emptyMap({ file: `${part}/${name}.yaml`, line: 1, column: 1 });
      const [first = tree.at, ...others] = [path, ...alternatives].map((candidate) => placeOf(tree, candidate));
      const latest = others.reduce((best, place) => (layerOf(place.file) > layerOf(best.file) ? place : best), first);
      return problemAt(latest, message);
    });
}

/** Each once: what backends say about instances is part of all their services. */
function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  const byFile = (a: Problem, b: Problem) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1);
  return [...distinct.values()].sort((a, b) => byFile(a, b) || a.line - b.line || a.column - b.column);
}
