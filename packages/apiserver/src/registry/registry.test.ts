import { describe, expect, it } from 'vitest';
import { thingResource } from '../operations/testing/test-world.ts';
import { createRegistry } from './registry.ts';

const builtIn = thingResource({ group: 'apps', bucket: 'apps/things', builtIn: true });
const version = (name: string) => thingResource({ version: name });
const pathsOf = (registry: ReturnType<typeof createRegistry>) =>
  registry.all().map(({ group, version: name, resource }) => `${group}/${name}/${resource}`);

describe('a registry', () => {
  it('finds types by path and by kind', () => {
    const registry = createRegistry([builtIn, version('v1'), version('v2')]);

    expect(registry.find('apps', 'v1', 'things')).toBe(builtIn);
    expect(registry.find('test.example', 'v2', 'things')?.version).toBe('v2');
    expect(registry.forKind('test.example/v1', 'Thing')?.version).toBe('v1');
    expect(pathsOf(registry)).toEqual(['apps/v1/things', 'test.example/v1/things', 'test.example/v2/things']);
  });

  it.each([
    ['group', 'other.example', 'v1', 'things'],
    ['version', 'apps', 'v2', 'things'],
    ['resource', 'apps', 'v1', 'others'],
  ])('has nothing for another %s', (_, group, name, resource) => {
    const registry = createRegistry([builtIn]);

    expect(registry.find(group, name, resource)).toBeUndefined();
    expect(() => registry.require(group, name, resource)).toThrow('could not find the requested resource');
  });

  it('replaces all types of a bucket, and no others', () => {
    const registry = createRegistry([builtIn]);
    const { bucket } = version('v1');

    registry.replace(bucket, [version('v1'), version('v2')]);
    registry.replace(bucket, [version('v2'), version('v3')]);
    expect(pathsOf(registry)).toEqual(['apps/v1/things', 'test.example/v2/things', 'test.example/v3/things']);

    registry.replace(bucket, []);
    expect(pathsOf(registry)).toEqual(['apps/v1/things']);
    expect(registry.forKind('test.example/v2', 'Thing')).toBeUndefined();
  });

  it('tells by its generation that something has changed', () => {
    const registry = createRegistry([builtIn]);
    const before = registry.generation;
    expect(registry.generation).toBe(before);

    registry.replace('test.example/things', [version('v1')]);

    expect(registry.generation).toBeGreaterThan(before);
  });
});
