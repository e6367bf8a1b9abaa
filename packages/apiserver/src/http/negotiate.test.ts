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

  it('refuses what it cannot send', () => {
    expect(() => negotiate('text/html', true)).toThrow(expect.objectContaining({ code: 406, reason: 'NotAcceptable' }));
  });
});
