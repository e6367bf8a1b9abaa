import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';
import { checkCrdSchema } from './check-crd-schema.ts';

const rules = (...texts: string[]) => ({ 'x-kubernetes-validations': texts.map((rule) => ({ rule })) });
const root = (a: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'object', properties: { a }, ...more });
const said = (schema: JsonSchema) =>
  checkCrdSchema(schema, { path: 'schema' }).map(({ field, message }) => `${field}: ${message}`);

describe('rules about values without a type', () => {
  const unknown =
    'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
  const hidden = 'Internal error: failed to convert to declType for CEL validation rules';
  const place = 'schema.properties[a]';

  it('are not compiled below something of an unknown type that has rules above it', () => {
    const below = { type: 'made-up', properties: { b: { type: 'boolean', ...rules('self') } } };

    expect(said(root(below, rules('true')))).toContain(`${place}.properties[b].x-kubernetes-validations: ${unknown}`);
    expect(said(root(below))).toEqual([expect.stringContaining('Unsupported value: "made-up"')]);
  });

  it('are not compiled within something that rules see as a whole', () => {
    const mixed = {
      type: 'object',
      'x-kubernetes-int-or-string': true,
      additionalProperties: { type: 'boolean', ...rules('self') },
      'x-kubernetes-list-type': 'set',
    } as const;

    expect(said(root({ ...mixed, ...rules('true') }))).toContain(
      `${place}.additionalProperties.x-kubernetes-validations: ${hidden}`,
    );
  });
});

describe('paths of fields that rules are about', () => {
  const withPath = (schema: JsonSchema, fieldPath: string) =>
    said(root({ ...schema, 'x-kubernetes-validations': [{ rule: 'true', fieldPath }] }));

  it('may name any entry of a map, also of one without a schema', () => {
    expect(withPath({ type: 'object', additionalProperties: true }, '.nothing')).toEqual([]);
  });

  it('must name a property where there are some', () => {
    expect(withPath({ type: 'object', properties: { b: { type: 'string' } } }, '.nothing')).toEqual([
      expect.stringContaining('must be a valid path'),
    ]);
  });
});
