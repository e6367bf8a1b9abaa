import type { PublishedKinds } from './published-kinds.ts';

/** Folder of the data from which `@klutch/apiserver` serves built-in kinds. */
export const kindsFolder = 'packages/apiserver/src/kinds/published';

/** Facts about the fields of Go types, in order, by name of the schema. */
export type GoFields = Readonly<Record<string, readonly (readonly [name: string, facts: string])[]>>;

/** The data files by path, with one resource or type per line. */
export function dataFiles({ resources, schemas }: PublishedKinds, goFields: GoFields): ReadonlyMap<string, string> {
  const types = [...schemas].map(([name, schema]) => ({ name, go: Object.fromEntries(goFields[name] ?? []), schema }));
  return new Map([
    [`${kindsFolder}/resources.jsonl`, lines(resources)],
    [`${kindsFolder}/types.jsonl`, lines(types)],
  ]);
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
