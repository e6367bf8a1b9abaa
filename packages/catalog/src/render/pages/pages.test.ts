import { describe, expect, it } from 'vitest';
import { examplesOf } from '../examples.ts';
import { database, field, plan, smallCatalogue } from '../catalogue.fixture.ts';
import { offerPage } from './offer-page.ts';
import { pagesOf } from './pages.ts';

const catalogue = smallCatalogue();
const pages = new Map(pagesOf(catalogue, examplesOf(catalogue)).map(({ path, text }) => [path, text]));
const lines = (path: string) => (pages.get(path) ?? '').split('\n');

describe('reference pages', () => {
  it('are an overview and one for each kind', () => {
    expect([...pages.keys()]).toEqual(['README.md', 'database.md', 'bucket.md', 'backup.md']);
    expect(lines('README.md')).toEqual(
      expect.arrayContaining([
        '| [Database](database.md) | `Database` | 2 | Database for tests. |',
        '| [Backup](backup.md) | `Backup` | Backup for tests. |',
      ]),
    );
  });

  it('say of a service what people ask', () => {
    expect(lines('database.md')).toEqual(
      expect.arrayContaining([
        '# Database',
        '[Documentation of Database](https://example.org/database)',
        'Write claims of kind `Database` (`example.org/v1`).',
        '| op: Operator (default) | `op-database` | backup | `username`, `password` | An operator in the control plane. |',
        '| `db1` | yes | no | Retired: instances keep it, new ones cannot have it. |',
        '| `nano` | yes | no | nano | memory 1Gi | 2 EUR |  |',
        '| `big` | yes | yes | big |  |  |  |',
        '- **size** can stay or grow: nano → big.',
        '| `spec.expose` | string |  | yes | ignored |  |',
        '| `spec.region` | string | yes | ignored | ignored | Where it runs. |',
        '| `spec.parameters.ciphers` | string |  | yes | refused |',
        '  plan: nano',
      ]),
    );
  });

  it('leave out what a service does not have', () => {
    expect(lines('bucket.md').filter((line) => line.startsWith('## '))).toEqual(['## Backends', '## Examples']);
  });

  it('say of an operation which services it works with', () => {
    expect(lines('backup.md')).toContain(
      '| op: Operator (default) | `op-backup` | database | An operator in the control plane. |',
    );
  });

  it.each([
    ['any', '- **size** can be changed.'],
    ['never', '- **size** cannot be changed.'],
  ] as const)('say when a trait may change: %s', (change, line) => {
    const offer = database({ traits: [{ name: 'size', values: ['nano', 'big'], change }] });

    expect(offerPage(offer, catalogue, []).split('\n')).toContain(line);
  });

  it('say when plans cannot be changed, and when they can', () => {
    expect(offerPage(database({ planChange: 'never' }), catalogue, [])).toContain(
      'The plan of an instance cannot be changed.',
    );
    expect(offerPage(database({ traits: [], plans: [plan('nano')] }), catalogue, [])).toContain(
      'An instance can be changed to any plan.',
    );
  });

  it('keep their tables whole, whatever is said in them', () => {
    const loud = field('loud', { note: 'One | two.\nThree.', targets: { op: 'ignored' } });

    expect(offerPage(database({ fields: [loud] }), catalogue, [])).toContain('| One \\| two. Three. |');
  });
});
