import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../registry/registry.ts';
import { testType } from '../testing/test-types.ts';
import { storedTypes } from './stored-types.ts';

const version = (name: string, storage: string) =>
  testType('ex.io', 'things', 'Thing', { version: name, storageApiVersion: `ex.io/${storage}` });

describe('stored types', () => {
  it('are there in the version of storage', () => {
    const types = storedTypes(createRegistry([version('v1', 'v2'), version('v2', 'v2'), version('v3', 'v2')]));
    expect(types.all().map(({ version }) => version)).toEqual(['v2']);
    expect(types.inBucket('ex.io/things')?.version).toBe('v2');
    expect(types.inBucket('ex.io/others')).toBeUndefined();
  });

  it('are there in another version when that of storage is not served', () => {
    const types = storedTypes(createRegistry([version('v1', 'v0'), version('v2', 'v0')]));
    expect(types.all().map(({ version }) => version)).toEqual(['v1']);
  });

  it('do not include what cannot be deleted because it is never stored', () => {
    const review = testType('ex.io', 'reviews', 'Review', { verbs: ['create'] });
    expect(storedTypes(createRegistry([review])).all()).toEqual([]);
  });

  it('follow the registry', () => {
    const registry = createRegistry([]);
    const types = storedTypes(registry);
    expect(types.all()).toEqual([]);
    registry.replace('ex.io/things', [version('v1', 'v1')]);
    expect(types.inBucket('ex.io/things')?.version).toBe('v1');
    registry.replace('ex.io/things', []);
    expect(types.all()).toEqual([]);
  });
});
