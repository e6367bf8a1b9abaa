import { describe, expect, it } from 'vitest';
import { database, smallCatalogue } from '../render/catalogue.fixture.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { largeCatalogue } from './large-catalogue.fixture.ts';
import { limitProblems } from './limit-problems.ts';

function messages(catalogue: Catalogue): readonly string[] {
  return limitProblems(catalogue).map(({ file, message }) => `${file}: ${message}`);
}

const having = (catalogue: Partial<Catalogue>): Catalogue => ({ ...smallCatalogue(), ...catalogue });

describe('the limits of Kubernetes', () => {
  it('are kept by 200 services with 20 plans each', () => {
    expect(messages(largeCatalogue({ services: 200, plans: 20 }))).toEqual([]);
  });

  it('are kept by 500 plans', () => {
    expect(messages(largeCatalogue({ services: 1, plans: 500 }))).toEqual([]);
  });

  it('are exceeded by rules about too many plans', () => {
    expect(messages(largeCatalogue({ services: 1, plans: 2000 }))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^services\/service0\.yaml: Kubernetes would refuse CustomResourceDefinition service0instances\.example\.org: schema\.properties\[spec\]\.x-kubernetes-validations\[\d+\]\.rule: .*exceeds limit/,
        ),
      ]),
    );
  });

  it('are exceeded by rules that cost too much', () => {
    const tags = {
      type: 'array',
      items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.contains(self)' }] },
    };
    const [field] = database().fields;
    const expensive = database({ fields: field ? [{ ...field, name: 'tags', schema: tags }] : [] });

    expect(messages(having({ services: [expensive] }))).toEqual([
      expect.stringMatching(/databases\.example\.org: schema\.properties\[spec\]\.properties\[tags\].*exceeds budget/),
      expect.stringContaining('contributed to estimated rule cost total'),
      expect.stringContaining('cost total for entire OpenAPIv3 schema exceeds budget'),
    ]);
  });

  it('are exceeded by objects and annotations that are too large', () => {
    const text = 'x'.repeat(1_600_000);

    expect(messages(having({ services: [database({ description: text })], operations: [] }))).toEqual([
      expect.stringMatching(
        /^services\/database\.yaml: .*CompositeResourceDefinition xdatabases.* it has \d+ bytes, more than 1500000/,
      ),
      expect.stringMatching(/CustomResourceDefinition databases\.example\.org: it has \d+ bytes/),
      expect.stringMatching(
        /CustomResourceDefinition databases\.example\.org: its annotations have \d+ bytes, more than 196608/,
      ),
    ]);
  });

  it.each([
    ['a Composition', { name: 'd'.repeat(61) }, 'Composition op-d+: its name is not allowed: must be no more than 63'],
    [
      'a plural',
      { plural: 'd'.repeat(63) },
      'CustomResourceDefinition xd+.example.org: its plural xd+ is not allowed: must be no more than 63',
    ],
    [
      'a kind',
      { kind: 'D'.repeat(59) },
      'CustomResourceDefinition xdatabases.example.org: the kind of its lists XD+List is not allowed: must be',
    ],
  ])('are exceeded by the name of %s', (_, given, pattern) => {
    expect(messages(having({ services: [database(given)], operations: [] }))).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`Kubernetes would refuse ${pattern}`))]),
    );
  });

  it('are exceeded by the name of a provider config', () => {
    const [operator, vendor] = smallCatalogue().backends;
    const config = { kind: 'ProviderConfig', metadata: { name: 'Broker' } };
    if (!operator || !vendor) throw new Error('no backends');

    expect(messages(having({ backends: [operator, { ...vendor, providerConfigs: [config] }] }))).toEqual([
      expect.stringMatching(
        /^backends\/vendor\.yaml: Kubernetes would refuse ProviderConfig Broker: its name is not allowed: a lowercase/,
      ),
    ]);
  });
});
