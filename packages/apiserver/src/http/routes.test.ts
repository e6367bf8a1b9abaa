import { describe, expect, it } from 'vitest';
import { thingResource } from '../operations/testing/test-world.ts';
import { createRegistry } from '../registry/registry.ts';
import { requestInfo, type ResourceRequestInfo } from './request-info.ts';
import { requireResource, requireRoute } from './routes.ts';

const custom = thingResource({ scale: undefined });
const builtIn = thingResource({
  group: 'apps',
  builtIn: true,
  bucket: 'apps/things',
  otherSubresources: [{ name: 'token', kind: 'Token', verbs: ['create'] }],
});
const cluster = thingResource({
  group: 'apps',
  resource: 'nodes',
  builtIn: true,
  namespaced: false,
  bucket: 'apps/nodes',
  verbs: ['get', 'list', 'create'],
});
const registry = createRegistry([custom, builtIn, cluster]);

const outcome = (method: string, path: string) => {
  const info = requestInfo(method, path, new URLSearchParams()) as ResourceRequestInfo;
  try {
    requireRoute(info, requireResource(registry, info), method);
    return 'ok';
  } catch (error) {
    return (error as { code?: number; message: string }).code
      ? `${(error as { code: number }).code} ${(error as Error).message}`
      : 'page not found';
  }
};

const notAllowed = '405 the server does not allow this method on the requested resource';
const noPath = '404 the server could not find the requested resource';

describe('requireRoute', () => {
  it.each([
    ['GET', '/apis/apps/v1/namespaces/a/things', 'ok'],
    ['GET', '/apis/apps/v1/things', 'ok'],
    ['POST', '/apis/apps/v1/namespaces/a/things', 'ok'],
    ['POST', '/apis/apps/v1/things', notAllowed],
    ['DELETE', '/apis/apps/v1/things', notAllowed],
    ['POST', '/apis/apps/v1/namespaces/a/things/x', notAllowed],
    ['PUT', '/apis/apps/v1/namespaces/a/things', notAllowed],
    ['HEAD', '/apis/apps/v1/namespaces/a/things/x', notAllowed],
    ['OPTIONS', '/apis/apps/v1/namespaces/a/things/x', notAllowed],
    ['GET', '/apis/apps/v1/things/x', noPath],
    ['GET', '/apis/apps/v1/namespaces/a/things/x/status', 'ok'],
    ['POST', '/apis/apps/v1/namespaces/a/things/x/status', notAllowed],
    ['POST', '/apis/apps/v1/namespaces/a/things/x/token', 'ok'],
    ['GET', '/apis/apps/v1/namespaces/a/things/x/token', notAllowed],
    ['GET', '/apis/apps/v1/namespaces/a/things/x/unicorn', noPath],
    ['GET', '/apis/apps/v1/nodes/x', 'ok'],
    ['DELETE', '/apis/apps/v1/nodes/x', notAllowed],
    ['GET', '/apis/apps/v1/namespaces/a/nodes/x', noPath],
    ['GET', '/apis/apps/v1/unicorns', noPath],
    ['GET', '/apis/unicorn.example/v1/unicorns', 'page not found'],
    ['GET', '/apis/test.example/v1/things', 'ok'],
    ['POST', '/apis/test.example/v1/things', 'page not found'],
    ['PUT', '/apis/test.example/v1/namespaces/a/things', '400 name must be provided'],
    ['GET', '/apis/test.example/v1/namespaces/a/things/x/scale', '404 things.test.example "x" not found'],
    [
      'POST',
      '/apis/test.example/v1/namespaces/a/things/x/status',
      '405 create is not supported on resources of kind "things.test.example"',
    ],
    ['GET', '/apis/test.example/v1/unicorns', 'page not found'],
  ])('%s %s: %s', (method, path, expected) => {
    expect(outcome(method, path)).toBe(expected);
  });
});
