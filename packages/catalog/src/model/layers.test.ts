import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultLayer, readLayer } from '../default-layer.ts';
import { readCatalogue } from './read-catalogue.ts';

const layer = (name: string) => readLayer(fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url)), name);
const shipped = await defaultLayer();
const vendor = readCatalogue([shipped, await layer('vendor')]);
const operator = readCatalogue([shipped, await layer('operator')]);

describe('a vendor API', () => {
  const { problems, catalogue } = vendor;
  const bucket = catalogue?.services.find(({ name }) => name === 'aws-s3');

  it('is a backend and a service that composes a kind of its own', () => {
    expect(problems).toEqual([]);
    expect(bucket?.backends.map(({ name, composed }) => [name, composed.through, composed.base['kind']])).toEqual([
      ['aws', 'resource', 'Bucket'],
    ]);
    expect(bucket?.defaultBackend).toBe('aws');
  });

  it('has fields and no plans, and goes nowhere near the operations of others', () => {
    expect(bucket?.fields.map(({ name, required }) => [name, required])).toEqual([
      ['serviceVersion', false],
      ['region', true],
      ['deletion', false],
    ]);
    expect([bucket?.plans, bucket?.versions, bucket?.backends[0]?.operations]).toEqual([[], [], []]);
    expect(bucket?.claims).toEqual([{ group: '', resource: 'secrets', version: 'v1', owner: 'Provider' }]);
  });
});

describe("an operator's folder", () => {
  const { problems, catalogue } = operator;
  const postgresql = catalogue?.services.find(({ name }) => name === 'postgresql');

  it('adds a plan, retires one and sets prices, in one file', () => {
    expect(problems).toEqual([]);
    expect(postgresql?.plans).toHaveLength(24);
    expect(postgresql?.plans.find(({ name }) => name === 'postgresql-single-huge')).toEqual({
      name: 'postgresql-single-huge',
      traits: { topology: 'single', size: 'huge', ssl: 'no', bionic: 'no' },
      backends: ['a8s'],
      cost: '400 EUR per month',
      limits: { cpu: '8', memory: '32Gi', storage: '500Gi', nodes: '1' },
      retired: false,
    });
    expect(postgresql?.plans.filter(({ retired }) => retired).map(({ name }) => name)).toEqual([
      'postgresql-single-nano',
    ]);
  });

  it('adds a service that has everything the backend has', () => {
    const etcd = catalogue?.services.find(({ name }) => name === 'etcd');

    expect(etcd?.backends[0]?.composed.base).toMatchObject({
      kind: 'ServiceInstance',
      spec: { providerConfigRef: { name: 'etcd-service-broker' } },
    });
    expect(catalogue?.backends.find(({ name }) => name === 'a9s')?.providerConfigs).toHaveLength(18);
  });
});
