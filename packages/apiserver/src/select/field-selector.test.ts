import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ApiObject } from '../objects/api-object.ts';
import type { Entry } from '../storage/types.ts';
import { everyField, fieldSelector } from './field-selector.ts';
import { fieldTermText, parseFieldTerms } from './field-terms.ts';
import { fieldAtPath, type SelectableType } from './selectable-fields.ts';

const configMaps: SelectableType = { namespaced: true, builtIn: true, selectableFields: {} };
const clusterRoles: SelectableType = { namespaced: false, builtIn: true, selectableFields: {} };
const secrets: SelectableType = { namespaced: true, builtIn: true, selectableFields: { type: fieldAtPath('.type') } };
const namespaces: SelectableType = {
  namespaced: false,
  builtIn: true,
  selectableFields: { 'status.phase': fieldAtPath('.status.phase') },
};
const customs: SelectableType = {
  namespaced: true,
  builtIn: false,
  selectableFields: {
    'spec.size': fieldAtPath('.spec.size'),
    'spec.n': fieldAtPath('.spec.n'),
    'spec.on': fieldAtPath('.spec.on'),
  },
};
const plainCustoms: SelectableType = { namespaced: true, builtIn: false, selectableFields: {} };
const clusterCustoms: SelectableType = { namespaced: false, builtIn: false, selectableFields: {} };

function entry(key: string, content: object = {}): Entry {
  const object = () => ({ apiVersion: 'v1', kind: 'Thing', metadata: {}, ...content }) as ApiObject;
  return { bucket: '/things', key, revision: 1, json: '', labels: undefined, object };
}

const parse = (text: string, type: SelectableType) => fieldSelector(parseFieldTerms(text), type);
const select = (text: string, type: SelectableType, entries: readonly Entry[]) => {
  const selector = parse(text, type);
  return entries.filter((entry) => selector.matches(entry)).map(({ key }) => key);
};

describe('a field selector', () => {
  const maps = [entry('n/c0'), entry('n/c1'), entry('m/c1')];

  it.each([
    ['', ['n/c0', 'n/c1', 'm/c1']],
    [',', ['n/c0', 'n/c1', 'm/c1']],
    ['=', ['n/c0', 'n/c1', 'm/c1']],
    ['metadata.name=c1', ['n/c1', 'm/c1']],
    ['metadata.name==c1', ['n/c1', 'm/c1']],
    ['metadata.name!=c1', ['n/c0']],
    ['metadata.name=', []],
    ['metadata.namespace=n', ['n/c0', 'n/c1']],
    [',,metadata.namespace!=n,metadata.name=c1,', ['m/c1']],
    ['metadata.name=c1,metadata.name=c0', []],
    ['metadata.name=a\\,b', []],
  ])('%j selects %j', (text, keys) => {
    expect(select(text, configMaps, maps)).toEqual(keys);
  });

  it('reads fields of custom resources as text, absent ones as empty', () => {
    const things = [
      entry('n/f1', { spec: { size: 's', n: 1, on: true } }),
      entry('n/f2', { spec: { size: '', n: 0, on: false } }),
      entry('n/f3', { spec: {} }),
      entry('n/f4'),
    ];

    expect(select('spec.size=s', customs, things)).toEqual(['n/f1']);
    expect(select('spec.size=', customs, things)).toEqual(['n/f2', 'n/f3', 'n/f4']);
    expect(select('spec.size!=s', customs, things)).toEqual(['n/f2', 'n/f3', 'n/f4']);
    expect(select('spec.n=0', customs, things)).toEqual(['n/f2']);
    expect(select('spec.n=', customs, things)).toEqual(['n/f3', 'n/f4']);
    expect(select('spec.on=true', customs, things)).toEqual(['n/f1']);
    expect(select('spec.on=false,metadata.name=f2', customs, things)).toEqual(['n/f2']);
  });

  it('parses an object once, however often its field is asked for', () => {
    let parsed = 0;
    const counted: Entry = {
      ...entry('n/a'),
      object: () => {
        parsed += 1;
        return { apiVersion: 'v1', kind: 'Thing', metadata: {}, type: 'Opaque' };
      },
    };

    expect(parse('type=Opaque', secrets).matches(counted)).toBe(true);
    expect(parse('type!=Opaque', secrets).matches(counted)).toBe(false);
    expect(parsed).toBe(1);
  });

  it('says which single value a field must have', () => {
    const selector = parse('metadata.name=a,metadata.namespace!=b', configMaps);

    expect(selector.exactly('metadata.name')).toBe('a');
    expect(selector.exactly('metadata.namespace')).toBeUndefined();
    expect(selector.isEmpty).toBe(false);
    expect(parse(',', configMaps)).toBe(everyField);
  });

  it('keeps any value through writing and reading', () => {
    const term = fc.record({
      field: fc.stringMatching(/^[a-z.]{1,10}$/),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.string({ unit: 'grapheme' }),
    });
    fc.assert(
      fc.property(term, (term) => {
        expect(parseFieldTerms(fieldTermText(term))).toEqual([term]);
      }),
    );
  });
});

describe('a field selector that Kubernetes refuses', () => {
  it.each<[string, string, SelectableType, string]>([
    ['metadata.name', 'any type', configMaps, "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    [
      'metadata.name=c1,foo',
      'any type',
      configMaps,
      "invalid selector: 'metadata.name=c1,foo'; can't understand 'foo'",
    ],
    [' ', 'any type', configMaps, "invalid selector: ' '; can't understand ' '"],
    [
      'metadata.name>c',
      'any type',
      configMaps,
      "invalid selector: 'metadata.name>c'; can't understand 'metadata.name>c'",
    ],
    ['metadata.name=a\\b', 'any type', configMaps, 'invalid field selector: invalid escape sequence: \\b'],
    ['metadata.name=a\\', 'any type', configMaps, 'invalid field selector: invalid escape sequence: \\'],
    ['metadata.name=a=b', 'any type', configMaps, 'invalid field selector: unescaped character in value: 61'],
    [
      'spec.foo=1',
      'a plain type',
      configMaps,
      '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['=x', 'a plain type', configMaps, '"" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    [
      'metadata.name=c1,b=2,a=1',
      'a plain type',
      configMaps,
      '"a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['spec.foo=1', 'Secret', secrets, 'field label not supported: spec.foo'],
    ['metadata.namespace=x', 'Namespace', namespaces, 'field label not supported: metadata.namespace'],
    ['spec.foo=1', 'a custom type', customs, 'field label not supported: spec.foo'],
    ['.spec.size=s', 'a custom type', customs, 'field label not supported: .spec.size'],
    ['toString=x', 'a custom type', customs, 'field label not supported: toString'],
    ['spec.foo=1', 'a custom type without fields', plainCustoms, 'field label not supported: spec.foo'],
    [
      'metadata.namespace=x',
      'a custom type of the cluster',
      clusterCustoms,
      'field label not supported: metadata.namespace',
    ],
  ])('%j for %s gets its text', (text, _, type, message) => {
    expect(() => parse(text, type)).toThrow(expect.objectContaining({ code: 400, reason: 'BadRequest', message }));
  });

  it('is not one about the namespace of a plain built-in type that has none', () => {
    expect(select('metadata.namespace=x', clusterRoles, [entry('/admin')])).toEqual([]);
    expect(select('metadata.namespace!=x', clusterRoles, [entry('/admin')])).toEqual(['/admin']);
  });
});
