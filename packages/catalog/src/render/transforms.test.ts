import { describe, expect, it } from 'vitest';
import type { Transform } from '../model/catalogue.ts';
import { plan } from './catalogue.fixture.ts';
import { functionTransform } from './transforms.ts';

const plans = [
  plan('db-nano', { traits: { size: 'nano' } }),
  plan('db-nano-old', { traits: { size: 'nano' }, retired: true }),
  plan('db-big', { traits: { size: 'big' }, backends: ['other'] }),
  plan('db-huge', { traits: { size: 'huge' } }),
];

describe('a transform of the catalogue', () => {
  it.each<[Transform, object]>([
    [
      { is: 'map', values: { a: 1 } },
      { type: 'map', map: { a: 1 } },
    ],
    [
      { is: 'format', format: '%s-broker' },
      { type: 'string', string: { type: 'Format', fmt: '%s-broker' } },
    ],
    [
      { is: 'trim-prefix', prefix: 'a9s-' },
      { type: 'string', string: { type: 'TrimPrefix', trim: 'a9s-' } },
    ],
    [{ is: 'lower-case' }, { type: 'string', string: { type: 'Convert', convert: 'ToLower' } }],
    [{ is: 'integer' }, { type: 'convert', convert: { toType: 'int' } }],
  ])('%j is %j for the function', (transform, expected) => {
    expect(functionTransform(transform, [])).toEqual(expected);
  });

  it('maps every plan that has a meaning to it, retired ones and those of other backends too', () => {
    const transform: Transform = { is: 'trait', trait: 'size', values: { nano: '1Gi', big: '8Gi' } };

    expect(functionTransform(transform, plans)).toEqual({
      type: 'map',
      map: { 'db-nano': '1Gi', 'db-nano-old': '1Gi', 'db-big': '8Gi' },
    });
  });
});
