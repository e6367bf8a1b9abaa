import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { defaultLayer } from '../../default-layer.ts';
import { publishedSchemas } from './published-schemas.ts';

const schemas = publishedSchemas();
const files = await defaultLayer();

describe('the published JSON Schemas', () => {
  it.each(files.map(({ path, text }) => [path, text]))('accept %s, which names its schema', (path, text) => {
    const kind = (path.split('/')[0]?.slice(0, -1) ?? '') as keyof typeof schemas;

    expect(text.split('\n')[0]).toBe(`# yaml-language-server: $schema=../../schema/${kind}.schema.json`);
    expect(Compile(schemas[kind]).Errors(parse(text))).toEqual([true, []]);
  });

  it.each([
    ['a part of a file', { plans: { big: { retired: true } } }, true],
    ['a plan that is removed', { plans: { big: null } }, true],
    ['an unknown key', { plan: {} }, false],
    ['an unknown key of a plan', { plans: { big: { price: '1 EUR' } } }, false],
    ['a requirement without a form', { requires: { a: { then: [{ trait: 'size' }] } } }, false],
    ['a schema with a key that is none of a schema', { parameters: { a: { schema: { typ: 'string' } } } }, false],
  ])('judge %s', (_, value, accepted) => {
    expect(Compile(schemas.service).Check(value)).toBe(accepted);
  });

  it('describe every key', () => {
    const undescribed = Object.entries(schemas.service.properties ?? {}).filter(([, key]) => !key.description);

    expect(undescribed).toEqual([]);
  });
});
