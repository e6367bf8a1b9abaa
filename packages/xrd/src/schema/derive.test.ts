import { describe, expect, it } from 'vitest';
import { deriveSchema } from './derive.ts';
import { claimFields } from './engine-fields.ts';
import type { Schema } from './json.ts';

type Fields = Readonly<Record<string, Schema>>;

const ofClaims = claimFields('Foreground');

function derive(defined: { spec?: Schema; status?: Schema; metadata?: Schema }, engine = ofClaims) {
  const schema = deriveSchema({ type: 'object', properties: defined }, engine);
  const { metadata = {}, spec = {}, status = {} } = schema['properties'] as Fields;
  return { schema, metadata, spec, status };
}

function without({ properties, ...rest }: Schema): Schema {
  expect(properties).toBeDefined();
  return rest;
}

describe('the schema of a CRD', () => {
  it('demands a spec, and knows the fields of Crossplane even when the definition says nothing', () => {
    const { schema, spec, status } = derive({});
    expect(schema).toMatchObject({ type: 'object', required: ['spec'] });
    expect(Object.keys(schema['properties'] as object)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
    expect(spec).toEqual({ type: 'object', properties: ofClaims.spec });
    expect(status).toEqual({ type: 'object', properties: ofClaims.status });
  });

  it('takes over some keys of spec and status and ignores the others', () => {
    const copied = {
      description: 'A parcel.',
      required: ['plan'],
      oneOf: [{ required: ['plan'] }],
      'x-kubernetes-validations': [{ rule: 'true' }],
    };
    const ignored = { type: 'object', default: {}, anyOf: [{}], allOf: [{}], not: {}, title: 'Parcel' };
    const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
    const { spec, status } = derive({
      spec: { ...ignored, ...copied, ...preserve },
      status: { ...ignored, ...copied, ...preserve },
    });
    expect(without(spec)).toEqual({ type: 'object', ...copied, ...preserve });
    expect(without(status)).toEqual({ type: 'object', ...copied });
  });

  it('takes over the description of the whole, and nothing else of it', () => {
    const rules = [{ rule: 'self.metadata.name != "x"' }];
    const schema = deriveSchema({ description: 'A parcel.', 'x-kubernetes-validations': rules }, ofClaims);
    expect(without(schema)).toEqual({ type: 'object', description: 'A parcel.', required: ['spec'] });
  });

  it('takes over everything below the fields of spec and status', () => {
    const plan = { type: 'string', default: 'small', enum: ['small', 'big'], not: { enum: ['none'] } };
    const { spec, status } = derive({ spec: { properties: { plan } }, status: { properties: { plan } } });
    for (const part of [spec, status]) expect(part['properties']).toMatchObject({ plan });
  });

  it('loses what the CRD API does not know', () => {
    const { spec } = derive({ spec: { properties: { plan: { type: 'string', supported: ['small'] } }, required: [] } });
    expect(spec).toEqual({ type: 'object', properties: { plan: { type: 'string' }, ...ofClaims.spec } });
  });

  it('prefers the fields of Crossplane over fields of the same name', () => {
    const own = { type: 'integer' };
    const { spec, status } = derive({
      spec: { properties: { compositionRef: own, claimRef: own } },
      status: { properties: { conditions: own } },
    });
    expect(spec['properties']).toEqual({ ...ofClaims.spec, claimRef: own });
    expect(status['properties']).toEqual(ofClaims.status);
  });

  it.each([
    [undefined, 63],
    [20, 20],
    [63, 63],
    [100, 63],
  ])('lets names be as long as labels, or shorter: asked for %s, at most %s', (maxLength, limit) => {
    const { metadata } = derive({ metadata: { properties: { name: { maxLength, pattern: '^a' } } } });
    expect(metadata).toEqual({ type: 'object', properties: { name: { type: 'string', maxLength: limit } } });
  });
});
