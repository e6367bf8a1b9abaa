import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { kindsFolder } from '../../../scripts/kinds/data-files.ts';
import { conformance } from '../suite.ts';

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly subresources?: readonly { readonly name: string }[];
}

/** A line of the data that built-in kinds are served from. */
interface Row extends Resource {
  readonly group: string;
  readonly version: string;
  readonly type: string;
}

const lines = (await readFile(`${kindsFolder}/resources.jsonl`, 'utf8')).trimEnd().split('\n');
const rows = lines.map((line) => JSON.parse(line) as Row);

/** The entries of a resource and its subresources in a list of a group, without the hash that depends on storage. */
const entriesOf = (listed: readonly Resource[], { name, subresources = [] }: Resource) =>
  [name, ...subresources.map((part) => `${name}/${part.name}`)].map((wanted) => {
    const { storageVersionHash: _, ...entry } = (listed.find((one) => one.name === wanted) ?? {}) as Resource & {
      storageVersionHash?: string;
    };
    return entry;
  });

conformance('discovery of built-in kinds', ({ check }) => {
  for (const path of new Set(
    rows.map(({ group, version }) => (group === '' ? `/api/${version}` : `/apis/${group}/${version}`)),
  )) {
    check(`${path} lists kinds with names, verbs, scope and subresources`, async ({ admin }) => {
      const { body } = await admin.get(path);
      const listed = body['resources'] as readonly Resource[];

      for (const { group, version, type: _, ...row } of rows) {
        if ((group === '' ? `/api/${version}` : `/apis/${group}/${version}`) !== path) continue;
        const { subresources = [], ...main } = row;
        const parts = subresources.map((part) => ({ ...part, name: `${row.name}/${part.name}` }));
        expect(entriesOf(listed, row)).toEqual([main, ...parts]);
      }
    });
  }
});
