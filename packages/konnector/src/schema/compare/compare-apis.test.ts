import { describe, expect, it } from 'vitest';
import { type Api, compareApis } from './compare-apis.ts';
import { describeFindings, type Finding, type Verdict, verdictOf } from './finding.ts';

type Version = Api['versions'][number];
const version = (more: Partial<Version> = {}): Version => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
  subresources: { status: {} },
  ...more,
});
const api = (more: Partial<Api> = {}): Api => ({
  group: 'example.org',
  names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
  scope: 'Namespaced',
  versions: [version()],
  ...more,
});
const v2 = version({ name: 'v2', storage: false });
const bare = version({ schema: { openAPIV3Schema: { type: 'object' } } });
const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };

describe('a change of an API', () => {
  it.each<[string, Api, Api, Verdict]>([
    ['nothing', api(), api(), 'compatible'],
    ['names that servers fill in', api(), api({ names: { kind: 'Widget', plural: 'widgets' } }), 'compatible'],
    ['another group', api(), api({ group: 'example.com' }), 'breaking'],
    ['another scope', api(), api({ scope: 'Cluster' }), 'breaking'],
    ['another kind', api(), api({ names: { ...api().names, kind: 'Gadget' } }), 'breaking'],
    ['another plural', api(), api({ names: { ...api().names, plural: 'gadgets' } }), 'breaking'],
    ['another singular', api(), api({ names: { ...api().names, singular: 'wid' } }), 'needs care'],
    ['a new short name', api(), api({ names: { ...api().names, shortNames: ['w'] } }), 'compatible'],
    ['a short name that goes', api({ names: { ...api().names, shortNames: ['w'] } }), api(), 'needs care'],
    ['a new version', api(), api({ versions: [version(), v2] }), 'compatible'],
    ['a new version in front', api(), api({ versions: [v2, version()] }), 'needs care'],
    ['a served version that goes', api({ versions: [version(), v2] }), api(), 'breaking'],
    [
      'a version that goes and was not served',
      api({ versions: [version(), { ...v2, served: false }] }),
      api(),
      'compatible',
    ],
    [
      'a version that is not served any more',
      api({ versions: [version(), v2] }),
      api({ versions: [version(), { ...v2, served: false }] }),
      'breaking',
    ],
    [
      'another stored version with the same schema',
      api({ versions: [version(), v2] }),
      api({ versions: [version({ storage: false }), { ...v2, storage: true }] }),
      'needs care',
    ],
    [
      'another stored version that knows less',
      api({ versions: [version(), { ...bare, name: 'v2', storage: false }] }),
      api({ versions: [version({ storage: false }), { ...bare, name: 'v2', storage: true }] }),
      'breaking',
    ],
    ['a schema that knows less', api(), api({ versions: [bare] }), 'breaking'],
    ['a status subresource that goes', api(), api({ versions: [version({ subresources: {} })] }), 'breaking'],
    ['a new status subresource', api({ versions: [version({ subresources: undefined })] }), api(), 'needs care'],
    [
      'a new scale subresource',
      api(),
      api({ versions: [version({ subresources: { status: {}, scale } })] }),
      'compatible',
    ],
    [
      'a scale subresource that goes',
      api({ versions: [version({ subresources: { status: {}, scale } })] }),
      api(),
      'breaking',
    ],
    ['deprecation', api(), api({ versions: [version({ deprecated: true })] }), 'needs care'],
    ['a new column', api(), api({ versions: [version({ additionalPrinterColumns: [column] })] }), 'compatible'],
    ['a column that goes', api({ versions: [version({ additionalPrinterColumns: [column] })] }), api(), 'needs care'],
    [
      'a column that shows something else',
      api({ versions: [version({ additionalPrinterColumns: [column] })] }),
      api({ versions: [version({ additionalPrinterColumns: [{ ...column, jsonPath: '.spec.n' }] })] }),
      'needs care',
    ],
  ])('by %s', (_, before, after, verdict) => {
    expect(verdictOf(compareApis(before, after, ['v1']))).toBe(verdict);
  });

  it('is breaking when a version goes in which objects may be stored', () => {
    const before = api({ versions: [version({ name: 'v2' }), version({ storage: false, served: false })] });
    const after = api({ versions: [version({ name: 'v2' })] });

    expect(verdictOf(compareApis(before, after, ['v2']))).toBe('compatible');
    expect(verdictOf(compareApis(before, after, ['v1', 'v2']))).toBe('breaking');
  });
});

describe('findings in words', () => {
  const findings: Finding[] = [
    { level: 'needs care', path: 'v1 .a', sentence: 'is odd' },
    { level: 'breaking', path: '', sentence: 'the kind changes' },
    { level: 'breaking', path: 'v1 .b', sentence: 'is removed' },
  ];

  it('begin with the worst', () => {
    expect(describeFindings(findings)).toBe('the kind changes; v1 .b is removed; v1 .a is odd');
  });

  it('are no more than asked for', () => {
    expect(describeFindings(findings, 1)).toBe('the kind changes; 2 more');
  });
});
