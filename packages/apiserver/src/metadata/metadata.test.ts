import { describe, expect, it } from 'vitest';
import { thingResource } from '../operations/testing/test-world.ts';
import { generateName } from './generate-name.ts';
import { readMetadata } from './read-metadata.ts';
import { metadataProblems, metadataUpdateProblems } from './validate-metadata.ts';

const custom = thingResource();
const builtIn = thingResource({ builtIn: true });
const object = (metadata: object) => ({ apiVersion: 'test.example/v1', kind: 'Thing', metadata });
const owner = { apiVersion: 'v1', kind: 'Secret', name: 'o', uid: 'u' };

describe('readMetadata', () => {
  it('leaves out what is empty or unknown', () => {
    const sent = { name: 'x', labels: {}, finalizers: [], annotations: null, creationTimestamp: null, unicorn: 1 };

    expect(readMetadata(sent, undefined)).toEqual({ metadata: { name: 'x' }, unknown: ['metadata.unicorn'] });
  });

  it('takes nothing for empty metadata', () => {
    expect(readMetadata(undefined, 'Thing')).toEqual({ metadata: {}, unknown: [] });
  });

  it.each([
    ['x', 'Thing', 'json: cannot unmarshal string into Go struct field Thing.metadata of type v1.ObjectMeta'],
    [[], undefined, 'json: cannot unmarshal array into Go value of type v1.ObjectMeta'],
    [
      { labels: [] },
      'Thing',
      'json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [{ name: 1 }, undefined, 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string'],
    [
      { creationTimestamp: 'now' },
      undefined,
      'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ],
  ])('refuses %j of %s', (value, kind, problem) => {
    expect(readMetadata(value, kind)).toEqual({ problem });
  });
});

describe('metadataProblems', () => {
  it.each([
    ['no name', {}, 'metadata.name', 'Required value: name or generateName is required'],
    ['a bad name', { name: 'A' }, 'metadata.name', /^Invalid value: "A": a lowercase RFC 1123 subdomain/],
    ['a bad prefix', { name: 'x', generateName: 'Aa-' }, 'metadata.generateName', /^Invalid value: "Aa-"/],
    [
      'a negative generation',
      { name: 'x', generation: -1 },
      'metadata.generation',
      /must be greater than or equal to 0$/,
    ],
    ['a long label', { name: 'x', labels: { a: 'v'.repeat(64) } }, 'metadata.labels', /must be no more than 63 bytes$/],
    ['a bad annotation', { name: 'x', annotations: { 'a b': '' } }, 'metadata.annotations', /name part must consist/],
    [
      'large annotations',
      { name: 'x', annotations: { a: 'x'.repeat(262_144) } },
      'metadata.annotations',
      'Too long: may not be more than 262144 bytes',
    ],
    ['a bad finalizer', { name: 'x', finalizers: ['x.io/a b'] }, 'metadata.finalizers', /name part must consist/],
    [
      'two ways to go',
      { name: 'x', finalizers: ['orphan', 'foregroundDeletion'] },
      'metadata.finalizers',
      /cannot be both set$/,
    ],
    [
      'an owner without version',
      { name: 'x', ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
      'metadata.ownerReferences.apiVersion',
      /version must not be empty$/,
    ],
    [
      'an owner without uid',
      { name: 'x', ownerReferences: [{ ...owner, uid: '' }] },
      'metadata.ownerReferences.uid',
      'Invalid value: "": must not be empty',
    ],
    [
      'an event as owner',
      { name: 'x', ownerReferences: [{ ...owner, kind: 'Event' }] },
      'metadata.ownerReferences',
      /is disallowed from being an owner$/,
    ],
    [
      'two controllers',
      {
        name: 'x',
        ownerReferences: [
          { ...owner, controller: true },
          { ...owner, name: 'p', controller: true },
        ],
      },
      'metadata.ownerReferences',
      /Found "true" in references for Secret\/o and Secret\/p$/,
    ],
  ])('finds %s', (_, metadata, field, message) => {
    expect(metadataProblems(object(metadata), custom)).toEqual([
      expect.objectContaining({
        field,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    ]);
  });

  it('keeps finalizers without a domain to the built-in ones', () => {
    const bare = object({ name: 'x', finalizers: ['hold', 'kubernetes'] });

    expect(metadataProblems(bare, builtIn).map(({ field }) => field)).toEqual(['metadata.finalizers[0]']);
    expect(metadataProblems(bare, custom)).toEqual([]);
    expect(metadataProblems(bare, thingResource({ builtIn: true, group: 'apiextensions.k8s.io' }))).toEqual([]);
  });

  it('asks the kind about names', () => {
    const strategy = { ...custom.strategy, nameProblems: () => ['no'] };

    expect(metadataProblems(object({ name: 'x' }), thingResource({ strategy }))).toEqual([
      { reason: 'FieldValueInvalid', field: 'metadata.name', message: 'Invalid value: "x": no' },
    ]);
  });
});

describe('metadataUpdateProblems', () => {
  it.each(['uid', 'name', 'namespace', 'creationTimestamp', 'deletionTimestamp'])('keeps the %s', (field) => {
    const before = { name: 'x', uid: 'u' };

    expect(metadataUpdateProblems(object({ ...before, [field]: 'other' }), object(before), custom)).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: `metadata.${field}`,
        message: 'Invalid value: "other": field is immutable',
      },
    ]);
  });

  it('lets finalizers come only while the object stays', () => {
    const living = { name: 'x', finalizers: ['x.io/a'] };
    const dying = { ...living, deletionTimestamp: '2030-01-01T00:00:00Z' };
    const more = { finalizers: ['x.io/a', 'x.io/c', 'x.io/b'] };

    expect(metadataUpdateProblems(object({ ...living, ...more }), object(living), custom)).toEqual([]);
    expect(metadataUpdateProblems(object({ ...dying, ...more }), object(dying), custom)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('[]string{"x.io/b", "x.io/c"}') as string }),
    ]);
  });
});

describe('generateName', () => {
  it('completes a prefix, which it cuts to fit', () => {
    expect(generateName('made-', () => 0)).toBe('made-bbbbb');
    expect(generateName('m'.repeat(70), () => 0.999)).toBe(`${'m'.repeat(58)}99999`);
  });
});
