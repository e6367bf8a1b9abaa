import { type Crd, crdBucket, crdCondition } from '../../crd/crd.ts';
import type { Entry, Store } from '../../storage/types.ts';

/** What decides about the names of definitions, without the schemas that make them large. */
export interface CrdNamesView {
  /** The other definitions of a definition's group, as far as names go. */
  othersOf(name: string): readonly Crd[];
  /** Names of the others that want names they could not have so far. */
  contendersWith(name: string): readonly string[];
}

export function createCrdNamesView(store: Store): CrdNamesView {
  const known = new WeakMap<Entry, Crd>();
  const view = (entry: Entry): Crd => {
    const found = known.get(entry) ?? withoutSchemas(entry.object() as Crd);
    known.set(entry, found);
    return found;
  };
  const othersOf = (name: string) => {
    const group = groupOf(name);
    return store
      .scan(crdBucket)
      .filter(({ key }) => key !== `/${name}` && groupOf(key.slice(1)) === group)
      .map(view);
  };
  return {
    othersOf,
    contendersWith: (name) =>
      othersOf(name)
        .filter((crd) => crdCondition(crd, 'NamesAccepted')?.status === 'False')
        .map(({ metadata }) => metadata.name ?? ''),
  };
}

/** The name of a definition is its plural, a dot and its group. */
function groupOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

function withoutSchemas({ apiVersion, kind, metadata, spec, status }: Crd): Crd {
  return { apiVersion, kind, metadata: { name: metadata.name }, spec: { ...spec, versions: [] }, status };
}
