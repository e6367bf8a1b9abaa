import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../schema/index.ts';
import type { Crd } from './crd.ts';
import { formatWarnings } from './format-warnings.ts';

const crd = (...schemas: JsonSchema[]) =>
  ({
    spec: { versions: schemas.map((openAPIV3Schema) => ({ schema: { openAPIV3Schema } })) },
  }) as unknown as Crd;
const text = (format: string): JsonSchema => ({ type: 'string', format });

describe('warnings about formats', () => {
  it.each<[string, JsonSchema, readonly string[]]>([
    [
      'none for those that are known, however written',
      { properties: { a: text('date-time'), b: text('datetime') } },
      [],
    ],
    ['one for a made-up format', { items: text('made-up') }, ['unrecognized format "made-up"']],
    ['none for numbers', { properties: { a: { type: 'integer', format: 'made-up' } } }, []],
    [
      'those in alternatives',
      { anyOf: [text('x')], not: text('y') },
      ['unrecognized format "y"', 'unrecognized format "x"'],
    ],
  ])('%s', (_, schema, warnings) => {
    expect(formatWarnings(crd(schema), undefined)).toEqual(warnings);
  });

  it('are not repeated when the definition changes', () => {
    expect(formatWarnings(crd(text('x'), text('y')), crd(text('x')))).toEqual(['unrecognized format "y"']);
  });
});
