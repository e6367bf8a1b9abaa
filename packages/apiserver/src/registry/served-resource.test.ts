import { describe, expect, it } from 'vitest';
import { thingResource } from '../operations/testing/test-world.ts';
import { apiVersionOf, bucketOf, hasOwnServer, keyOf, storedGroup } from './served-resource.ts';

describe('a resource type', () => {
  it.each([
    ['', 'v1', 'v1'],
    ['apps', 'v1', 'apps/v1'],
  ])('of group %j in version %s is written %s', (group, version, apiVersion) => {
    expect(apiVersionOf({ group, version })).toBe(apiVersion);
  });

  it('has a place for all its objects', () => {
    expect([bucketOf({ group: '', resource: 'secrets' }), bucketOf({ group: 'ex.io', resource: 'things' })]).toEqual([
      '/secrets',
      'ex.io/things',
    ]);
    expect([keyOf('home', 'a'), keyOf(undefined, 'a')]).toEqual(['home/a', '/a']);
  });

  it.each([
    ['v1', ''],
    ['ex.io/v1', 'ex.io'],
  ])('stored as %s has problems in the group %j', (storageApiVersion, group) => {
    expect(storedGroup({ storageApiVersion })).toBe(group);
  });

  it('may belong to a server of its own within Kubernetes', () => {
    expect(hasOwnServer(thingResource())).toBe(true);
    expect(hasOwnServer({ group: 'apps', builtIn: true })).toBe(false);
    expect(hasOwnServer({ group: 'apiextensions.k8s.io', builtIn: true })).toBe(true);
  });
});
