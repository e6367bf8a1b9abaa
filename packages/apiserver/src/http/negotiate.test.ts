import { describe, expect, it } from 'vitest';
import { negotiate } from './negotiate.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

describe('negotiate', () => {
  it.each([
    [undefined, { format: 'json', as: 'object' }],
    ['*/*', { format: 'json', as: 'object' }],
    ['application/json', { format: 'json', as: 'object' }],
    [`${table},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`, { format: 'json', as: 'table' }],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', { format: 'json', as: 'object' }],
    ['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', { format: 'json', as: 'metadata list' }],
    ['application/vnd.kubernetes.protobuf, application/json', { format: 'json', as: 'object' }],
    ['application/yaml', { format: 'yaml', as: 'object' }],
  ])('%s', (accept, wanted) => {
    expect(negotiate(accept, true)).toEqual(wanted);
  });

  it.each([
    ['the best, wherever it stands', 'application/yaml;q=0.5,application/json', 'json'],
    ['the first of equals', 'application/yaml,application/json', 'yaml'],
    ['what has a quality that is none last', 'application/yaml;q=x,application/json;q=0.1', 'json'],
    ['types in any case', 'Application/YAML', 'yaml'],
    ['JSON when nothing is said', '  ', 'json'],
  ])('takes %s: %s', (_, accept, format) => {
    expect(negotiate(accept, true).format).toBe(format);
  });

  it.each([
    ['application/json;as=Table;v=v1;g=other.io', true],
    ['application/json;as=Unicorn;v=v1;g=meta.k8s.io', true],
    ['application/vnd.kubernetes.protobuf', true],
    ['text/html', false],
  ])('refuses %s in the words of those who serve custom kinds', (accept, builtIn) => {
    const message = 'only the following media types are accepted: application/json, application/yaml';

    expect(() => negotiate(accept, builtIn)).toThrow(
      expect.objectContaining({ code: 406, reason: 'NotAcceptable', message, details: undefined }),
    );
  });

  it('refuses what no built-in kind is sent as before it looks further', () => {
    const message =
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf';

    expect(() => negotiate('text/html', true)).toThrow(
      expect.objectContaining({ code: 406, reason: 'NotAcceptable', message, details: {} }),
    );
  });
});
