import { describe, expect, it } from 'vitest';

import type { ManagedFieldsEntry } from '../objects/api-object.ts';
import { fieldSet } from './field-set.ts';
import { type Owner, ownerId, readOwners, writeOwners } from './owner.ts';

const entry: ManagedFieldsEntry = {
  manager: 'one',
  operation: 'Update',
  apiVersion: 'example.org/v1',
  time: '2030-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:size': {} } },
};

const owner: Owner = {
  manager: 'one',
  operation: 'Update',
  apiVersion: 'example.org/v1',
  subresource: '',
  time: undefined,
  fields: fieldSet('spec.size'),
};

describe('ownerId', () => {
  it('tells updaters apart by name, version and subresource', () => {
    const ids = [
      owner,
      { ...owner, manager: 'two' },
      { ...owner, apiVersion: 'example.org/v2' },
      { ...owner, subresource: 'status' },
      { ...owner, operation: 'Apply' as const },
    ].map(ownerId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe('{"manager":"one","operation":"Update","apiVersion":"example.org/v1"}');
  });

  it('lets an applier change its version', () => {
    const applier = { ...owner, operation: 'Apply' as const };
    expect(ownerId({ ...applier, apiVersion: 'example.org/v2' })).toBe(ownerId(applier));
    expect(ownerId({ ...applier, subresource: 'status' })).not.toBe(ownerId(applier));
  });
});

describe('readOwners', () => {
  it('reads what writeOwners has written', () => {
    const entries: ManagedFieldsEntry[] = [
      { ...entry, operation: 'Apply', manager: 'applier' },
      { ...entry, subresource: 'status' },
    ];
    expect(writeOwners(readOwners(entries))).toEqual(entries);
    expect(JSON.stringify(writeOwners(readOwners([entry])))).toBe(JSON.stringify([entry]));
  });

  it('reads nothing from nothing', () => {
    expect(readOwners(undefined).size).toBe(0);
    expect(writeOwners(new Map())).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['no operation', { operation: undefined }, 'operation must be `Apply` or `Update`'],
    ['an unknown operation', { operation: 'Nonsense' }, 'operation must be `Apply` or `Update`'],
    ['no version', { apiVersion: '' }, 'apiVersion must not be empty'],
    ['no type of fields', { fieldsType: undefined }, 'missing fieldsType in managed fields entry 0'],
    [
      'an unknown type of fields',
      { fieldsType: 'FieldsV2' },
      'invalid fieldsType "FieldsV2" in managed fields entry 0',
    ],
    ['fields that are none', { fieldsV1: { x: {} } }, 'key must be 2 characters long:'],
  ])('refuses %s', (_, change, problem) => {
    expect(() => readOwners([{ ...entry, ...change }])).toThrow(problem);
  });
});

describe('writeOwners', () => {
  const write = (...owners: Owner[]) => writeOwners(new Map(owners.map((one) => [ownerId(one), one]))) ?? [];

  it('sorts appliers first, then by time, name, version and subresource', () => {
    const time = (second: number) => `2030-01-01T00:00:0${second}Z`;
    const sorted = write(
      { ...owner, manager: 'b', time: time(1) },
      { ...owner, manager: 'a', time: time(2), subresource: 'scale' },
      { ...owner, manager: 'a', time: time(1), subresource: 'status' },
      { ...owner, manager: 'a', time: time(1) },
      { ...owner, manager: 'a', time: time(1), apiVersion: 'example.org/v0' },
      { ...owner, manager: 'z', operation: 'Apply', time: time(9) },
      { ...owner, manager: 'untimed' },
    ).map(({ manager, operation, apiVersion, subresource }) => [manager, operation, apiVersion, subresource]);
    expect(sorted).toEqual([
      ['z', 'Apply', 'example.org/v1', undefined],
      ['untimed', 'Update', 'example.org/v1', undefined],
      ['a', 'Update', 'example.org/v0', undefined],
      ['a', 'Update', 'example.org/v1', undefined],
      ['a', 'Update', 'example.org/v1', 'status'],
      ['b', 'Update', 'example.org/v1', undefined],
      ['a', 'Update', 'example.org/v1', 'scale'],
    ]);
  });

  it('leaves out what is empty', () => {
    expect(write({ ...owner, manager: '' })).toEqual([
      {
        operation: 'Update',
        apiVersion: 'example.org/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:size': {} } },
      },
    ]);
  });
});
