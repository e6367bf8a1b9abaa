import { describe, expect, it } from 'vitest';
import { parseApiName } from './api-names.ts';

describe('the name of an API', () => {
  it.each([
    ['widgets.example.org', { resource: 'widgets', group: 'example.org' }],
    ['secrets', { resource: 'secrets', group: '' }],
    ['a9s-things.a9s.example-x.org', { resource: 'a9s-things', group: 'a9s.example-x.org' }],
  ])('%s is read', (name, api) => {
    expect(parseApiName(name, 'api')).toEqual(api);
  });

  it.each([
    '',
    '.',
    '.b',
    'A.b',
    'a b',
    'a/b',
    '../x',
    'a..b',
    '-a',
    'a.b-',
    'a'.repeat(64),
    `a.${'b.'.repeat(30)}c`,
    'a.é',
  ])('"%s" is none, and not repeated', (name) => {
    expect(() => parseApiName(name, 'api')).toThrow(
      expect.objectContaining({
        code: 'KLUTCH_REQUEST_INVALID',
        message: 'api: not the name of an API, such as widgets.example.org.',
      }),
    );
  });
});
