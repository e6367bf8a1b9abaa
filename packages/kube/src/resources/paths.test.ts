import { describe, expect, it } from 'vitest';
import { Namespaces, Secrets } from '../objects/core.ts';
import { collectionPath, objectPath, query, resourceName } from './paths.ts';

const widgets = { group: 'example.org', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };

describe('paths', () => {
  it.each([
    [Secrets, 'team-a', '/api/v1/namespaces/team-a/secrets'],
    [Secrets, undefined, '/api/v1/secrets'],
    [Namespaces, undefined, '/api/v1/namespaces'],
    [widgets, 'team-a', '/apis/example.org/v1/namespaces/team-a/widgets'],
  ])('collection %#', (type, namespace, path) => {
    expect(collectionPath(type, namespace)).toBe(path);
  });

  it('addresses objects and their subresources', () => {
    expect(objectPath(widgets, { namespace: 'a', name: 'w:1' }, 'status')).toBe(
      '/apis/example.org/v1/namespaces/a/widgets/w%3A1/status',
    );
    expect(objectPath(Namespaces, { name: 'a' })).toBe('/api/v1/namespaces/a');
  });

  it.each([
    [{ name: 'w1' }, 'namespace'],
    [{ namespace: 'a' }, 'name'],
    [{ namespace: 'a', name: '../../nodes/n1' }, 'name'],
    [{ namespace: '..', name: 'w1' }, 'namespace'],
    [{ namespace: 'a', name: '%2e%2e' }, 'name'],
    [{ namespace: 'a', name: '' }, 'name'],
    [{ namespace: 'a', name: '\ud800' }, 'name'],
  ])('refuses %j, which would address something else', (ref, mention) => {
    expect(() => objectPath(widgets, ref)).toThrow(
      expect.objectContaining({ code: 'KUBE_INVALID', message: expect.stringContaining(mention) }),
    );
  });

  it.each([
    ['plural', '../nodes'],
    ['group', 'example.org/v1/namespaces/kube-system'],
    ['version', '..'],
    ['plural', 'widgets?watch=true'],
    ['plural', ''],
  ])('refuses a type whose %s is «%s»: it may come from another cluster', (field, value) => {
    expect(() => collectionPath({ ...widgets, [field]: value }, 'a')).toThrow(
      expect.objectContaining({ code: 'KUBE_INVALID', message: expect.stringContaining(field) }),
    );
  });

  it('leaves unset parameters out of the query and encodes the rest', () => {
    expect(query({ a: undefined, b: '', labelSelector: 'app in (x,y)', limit: 5, watch: true })).toBe(
      '?labelSelector=app+in+%28x%2Cy%29&limit=5&watch=true',
    );
    expect(query({})).toBe('');
  });

  it('names resources for people', () => {
    expect(resourceName(Secrets)).toBe('secrets');
    expect(resourceName(widgets, 'status')).toBe('widgets.example.org/status');
  });
});
