import { describe, expect, it } from 'vitest';
import { requestInfo } from './request-info.ts';

const read = (method: string, url: string) => {
  const { pathname, searchParams } = new URL(`https://server${url}`);
  return requestInfo(method, pathname, searchParams);
};

describe('requestInfo', () => {
  it.each([
    ['GET', '/api/v1/secrets', { verb: 'list', group: '', version: 'v1', resource: 'secrets' }],
    ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces', namespace: undefined }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', name: 'a', namespace: 'a' }],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      { verb: 'update', resource: 'namespaces', name: 'a', subresource: 'finalize' },
    ],
    ['POST', '/api/v1/namespaces/a/secrets', { verb: 'create', resource: 'secrets', namespace: 'a' }],
    ['GET', '/api/v1/namespaces/a/secrets/b', { verb: 'get', resource: 'secrets', namespace: 'a', name: 'b' }],
    [
      'GET',
      '/apis/x.org/v1/namespaces/a/ws/b/status',
      { group: 'x.org', resource: 'ws', name: 'b', subresource: 'status' },
    ],
    ['GET', '/apis/x.org/v1/ws?watch=true', { verb: 'watch', resource: 'ws' }],
    ['GET', '/apis/x.org/v1/ws?watch=yes', { verb: 'watch' }],
    ['GET', '/apis/x.org/v1/ws?watch', { verb: 'watch' }],
    ['GET', '/apis/x.org/v1/ws?watch=false', { verb: 'list' }],
    ['GET', '/apis/x.org/v1/ws?watch=0', { verb: 'list' }],
    ['GET', '/apis/x.org/v1/ws/b?watch=true', { verb: 'get', name: 'b' }],
    ['HEAD', '/apis/x.org/v1/ws/b', { verb: 'get', name: 'b' }],
    ['OPTIONS', '/apis/x.org/v1/ws/b', { verb: 'options', name: 'b' }],
    ['GET', '/apis/x.org/v1/ws/%zz', { verb: 'get', name: '%zz' }],
    ['GET', '//apis/x.org//v1/ws/', { verb: 'list', group: 'x.org', resource: 'ws' }],
    ['DELETE', '/apis/x.org/v1/namespaces/a/ws', { verb: 'deletecollection' }],
    ['DELETE', '/apis/x.org/v1/namespaces/a/ws/b', { verb: 'delete', name: 'b' }],
    ['PATCH', '/apis/x.org/v1/ws/a%3Ab', { verb: 'patch', name: 'a:b' }],
  ])('%s %s', (method, url, expected) => {
    expect(read(method, url)).toMatchObject({ isResource: true, ...expected });
  });

  it.each(['/', '/api', '/api/v1', '/apis', '/apis/x.org', '/apis/x.org/v1', '/version', '/openapi/v3'])(
    '%s is no resource',
    (path) => {
      expect(read('GET', path)).toEqual({ isResource: false, path, verb: 'get' });
    },
  );
});
