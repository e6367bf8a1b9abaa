import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { smallCatalogue } from './catalogue.fixture.ts';
import { compositionsOf } from './compositions.ts';
import { definitionOf } from './definitions.ts';
import { offersOf } from './offers.ts';
import { providerConfigsOf, render } from './render.ts';
import { templatesOf } from './templates.ts';

const catalogue = smallCatalogue();
const files = render(catalogue);
const inFolder = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`));

describe('what a catalogue is rendered to', () => {
  it('is a file for each object and page', () => {
    expect(files.map(({ path }) => path)).toEqual([
      'definitions/xdatabases.example.org.yaml',
      'definitions/xbuckets.example.org.yaml',
      'definitions/xbackups.example.org.yaml',
      'compositions/op-database.yaml',
      'compositions/vendor-database.yaml',
      'compositions/vendor-bucket.yaml',
      'compositions/op-backup.yaml',
      'templates/databases.yaml',
      'templates/buckets.yaml',
      'templates/backups.yaml',
      'provider-configs/kubernetes-provider.yaml',
      'examples/database-op.yaml',
      'examples/database-vendor.yaml',
      'examples/bucket-vendor.yaml',
      'examples/backup-op.yaml',
      'pages/README.md',
      'pages/database.md',
      'pages/bucket.md',
      'pages/backup.md',
    ]);
  });

  it.each(['1.1', '1.2'] as const)('says in YAML %s what the objects say', (version) => {
    const read = (folder: string) => inFolder(folder).map(({ text }) => parse(text, { version }) as unknown);

    expect(read('definitions')).toEqual(offersOf(catalogue).map((offer) => definitionOf(offer, catalogue)));
    expect(read('compositions')).toEqual(compositionsOf(catalogue));
    expect(read('templates')).toEqual(templatesOf(catalogue));
    expect(read('provider-configs')).toEqual(providerConfigsOf(catalogue));
  });

  it('is the same every time, without anchors', () => {
    expect(render(smallCatalogue())).toEqual(files);
    expect(files.filter(({ text }) => /: [&*]\w/.test(text))).toEqual([]);
  });
});
