import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCommand } from '../testing/run-in-process.ts';
import { scratchFolder } from '../testing/run-klutch.ts';

async function klutch(...args: readonly string[]) {
  const run = runCommand(args);
  return { code: await run.ended(), out: run.out(), err: run.err() };
}

/** A folder of an operator with one file. */
async function folderWith(path: string, text: string): Promise<string> {
  const folder = await scratchFolder();
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  return folder;
}

const small = 'backends:\n  a8s:\n    patches:\n      spec.volumeSize: { values: { small: ';
const nanoRetired = 'plans:\n  mariadb-single-nano: { retired: true, cost: 2 EUR }\n';

describe('klutch catalog check', () => {
  it('finds the catalogue of klutch in order, and folders that add to it', async () => {
    expect(await klutch('catalog', 'check')).toEqual({
      code: 0,
      out: '',
      err: expect.stringMatching(/^The catalogue is in order: 8 services, \d+ plans\.\n$/),
    });
    const folder = await folderWith('services/mariadb.yaml', nanoRetired);
    expect(await klutch('catalog', 'check', folder)).toMatchObject({ code: 0 });
  });

  it.each<[string, string, string, RegExp]>([
    ['a plan twice', 'services/mariadb.yaml', 'plans:\n  a: { traits: {} }\n  a: {}\n', /:3:3: /],
    ['YAML that is none', 'services/mariadb.yaml', 'plans: [\n', /mariadb\.yaml:\d+:\d+: /],
    ['an unknown key', 'services/mariadb.yaml', 'plan:\n  x: {}\n', /:1:1: .*"?plan/],
    [
      'a file that belongs to nothing',
      'other/mariadb.yaml',
      'x: 1\n',
      /other\/mariadb\.yaml:1:1: .*services\/<name>\.yaml/,
    ],
    ['a size without a meaning', 'services/postgresql.yaml', `${small}null } }\n`, /postgresql\.yaml:\d+:\d+: On a8s/],
    [
      'a schema that is none',
      'services/mariadb.yaml',
      'parameters:\n  x: { schema: { type: text }, a9s: x }\n',
      /:2:\d+: /,
    ],
    [
      'a trait value that is not there',
      'services/mariadb.yaml',
      'plans:\n  x: { traits: { size: huge } }\n',
      /:2:\d+: .*huge/,
    ],
    ['an unknown service', 'operations/backup.yaml', 'services: [nosuch]\n', /backup\.yaml:1:\d+: /],
    ['a kind twice', 'services/maria.yaml', 'service: maria\nkind: MariadbInstance\n', /maria\.yaml:\d+:\d+: /],
  ])('says where there is %s', async (_, path, text, expected) => {
    const { code, out, err } = await klutch('catalog', 'check', await folderWith(path, text));
    expect(code).toBe(2);
    expect(out).toMatch(expected);
    expect(err).toMatch(/^Error: The catalogue has (a problem|\d+ problems)\.\n$/);
  });

  it('checks a definition that was written by hand', async () => {
    const folder = await folderWith('own.yaml', 'kind: CompositeResourceDefinition\n');
    const { code, out } = await klutch('catalog', 'check', '-f', join(folder, 'own.yaml'));

    expect(code).toBe(2);
    expect(out).toContain(`${folder}/own.yaml:1:1: "spec" is missing; it is required.`);
    expect(await klutch('catalog', 'check', '-f', join(folder, 'none.yaml'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not exist'),
    });
  });

  it('has problems in a form for programs', async () => {
    const folder = await folderWith('services/mariadb.yaml', 'plans: 1\n');
    const { out } = await klutch('catalog', 'check', folder, '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      problems: [{ file: join(folder, 'services/mariadb.yaml'), line: 1, message: expect.any(String) }],
    });
  });

  it('says which folder is missing', async () => {
    expect(await klutch('catalog', 'check', '/not/there')).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no folder /not/there'),
    });
  });
});

describe('klutch catalog render', () => {
  it('prints the objects of a control plane', async () => {
    const { code, out } = await klutch('catalog', 'render');
    const kinds = parseAllDocuments(out).map((document) => (document.toJS() as { kind: string }).kind);
    expect({ code, count: kinds.length }).toEqual({ code: 0, count: 11 + 15 + 11 + 17 });
    expect(new Set(kinds)).toEqual(
      new Set(['CompositeResourceDefinition', 'Composition', 'APIServiceExportTemplate', 'ProviderConfig']),
    );
  });

  it('writes everything to a folder, the same each time', async () => {
    const own = await folderWith('services/mariadb.yaml', nanoRetired);
    const [one, two] = [await scratchFolder(), await scratchFolder()];
    for (const folder of [one, two])
      expect(await klutch('catalog', 'render', own, '--out', folder)).toMatchObject({ code: 0 });
    const files = (await readdir(one, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(60);
    const path = 'definitions/xmariadbinstances.anynines.com.yaml';
    const text = await readFile(join(one, path), 'utf8');
    expect(text).toBe(await readFile(join(two, path), 'utf8'));
  });

  it('refuses a catalogue with problems', async () => {
    const folder = await folderWith('services/mariadb.yaml', 'plans: 1\n');
    expect(await klutch('catalog', 'render', folder)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/mariadb\.yaml:1:8/),
    });
  });
});
