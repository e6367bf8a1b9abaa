import { readFile } from 'node:fs/promises';
import { describeReal, sharedPlane } from '@klutch/kit/vitest';
import { beforeAll, expect, it } from 'vitest';
import { kindsFolder } from '../../scripts/kinds/data-files.ts';
import { type PublishedKinds, publishedKinds } from '../../scripts/kinds/published-kinds.ts';

async function rowsOf<Row>(file: string): Promise<readonly Row[]> {
  const text = await readFile(`${kindsFolder}/${file}`, 'utf8');
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

describeReal('the data of built-in kinds', () => {
  let published: PublishedKinds;
  beforeAll(async () => {
    const plane = await sharedPlane();
    published = await publishedKinds(async (path) => (await plane.admin.request('GET', path)).body);
  }, 60_000);

  it('has the resources that kube-apiserver discovers', async () => {
    expect(await rowsOf('resources.jsonl')).toEqual(published.resources);
  });

  it('has the schemas that kube-apiserver publishes', async () => {
    const rows = await rowsOf<{ name: string; schema: object }>('types.jsonl');

    expect(rows.map(({ name }) => name)).toEqual([...published.schemas.keys()]);
    for (const { name, schema } of rows) expect(schema, name).toEqual(published.schemas.get(name));
  });

  it('knows the Go type of every field', async () => {
    const rows = await rowsOf<{ name: string; go: object; schema: { properties?: object } }>('types.jsonl');
    const unknown = rows.flatMap(({ name, go, schema }) =>
      Object.keys(schema.properties ?? {})
        .filter((field) => !(field in go) && field !== 'apiVersion' && field !== 'kind')
        .map((field) => `${name}.${field}`),
    );

    expect(unknown).toEqual([]);
  });
});
