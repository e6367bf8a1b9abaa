import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { thingResource } from '../operations/testing/test-world.ts';
import { createRegistry } from '../registry/registry.ts';
import { otherPaths } from './other-paths.ts';

const tokens = { issuerUrl: 'https://issuer.example', keys: [] };
const answers = otherPaths(createRegistry([thingResource()]), tokens, () => true);

const ask = (url: string, method = 'GET', headers: Record<string, string> = {}) => {
  const { pathname, searchParams } = new URL(url, 'https://server');
  return answers(pathname, { method, headers } as IncomingMessage, searchParams);
};

describe('paths that are no resources', () => {
  it.each([
    ['/livez', 'ok'],
    ['/version', '"gitVersion"'],
    ['/apis/test.example/v1', '"things"'],
    ['/openapi/v3', '"apis/test.example/v1"'],
    ['/.well-known/openid-configuration', '"https://issuer.example/openid/v1/jwks"'],
    ['/openid/v1/jwks', '"keys":[]'],
  ])('%s is one', (path, content) => {
    expect(ask(path)).toMatchObject({ code: 200, text: expect.stringContaining(content) as string });
  });

  it('do not include what nobody knows', () => {
    expect(ask('/unicorn')).toBeUndefined();
  });

  it('can only be read', () => {
    expect(() => ask('/version', 'POST')).toThrow('does not allow this method');
  });

  it('send those who know an old schema to the new one', () => {
    const { text = '' } = ask('/openapi/v3') ?? {};
    const { paths } = JSON.parse(text) as { paths: Record<string, { serverRelativeURL: string }> };
    const current = paths['apis/test.example/v1']?.serverRelativeURL ?? '';

    expect(ask('/openapi/v3/apis/test.example/v1?hash=OLD')).toMatchObject({
      code: 301,
      headers: { location: current },
    });
    expect(ask(current)).toMatchObject({ code: 200, headers: { 'cache-control': 'public, immutable' } });
  });
});
