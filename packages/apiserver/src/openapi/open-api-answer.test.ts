import { describe, expect, it } from 'vitest';
import { builtInResources } from '../kinds/index.ts';
import { createRegistry, type Registry } from '../registry/registry.ts';
import { allVerbs, type ServedResource } from '../registry/served-resource.ts';
import { openApiAnswer } from './open-api-answer.ts';

const gadget = {
  group: 'example.org',
  version: 'v1',
  resource: 'gadgets',
  kind: 'Gadget',
  listKind: 'GadgetList',
  namespaced: false,
  verbs: allVerbs,
  bucket: 'example.org/gadgets',
  hasStatus: false,
  builtIn: false,
} as unknown as ServedResource;

function urls(registry: Registry): Record<string, string> {
  const index = JSON.parse(openApiAnswer('/openapi/v3', {}, registry)?.text ?? '') as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(
    Object.entries(index.paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]),
  );
}

/** Asks for a URL of the index. */
function fetch(url: string, registry: Registry, headers: Record<string, string> = {}) {
  const { pathname, searchParams } = new URL(url, 'https://server');
  return openApiAnswer(pathname, headers, registry, searchParams);
}

describe('/openapi/v3', () => {
  it('leads to a document for each group and version', () => {
    const registry = createRegistry(builtInResources);
    registry.replace('example.org/gadgets', [gadget]);
    const index = urls(registry);

    expect(Object.keys(index)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/example.org/v1']));
    for (const url of Object.values(index)) {
      const document = fetch(url, registry);
      expect(document?.code).toBe(200);
      expect(JSON.parse(document?.text ?? '')).toMatchObject({ openapi: '3.0.0' });
    }
  });

  it('names documents by their content, so that clients can keep them', () => {
    const registry = createRegistry(builtInResources);
    const url = urls(registry)['apis/apps/v1'] ?? '';
    const document = fetch(url, registry);

    expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    expect(document?.headers).toMatchObject({ 'cache-control': 'public, immutable', vary: 'Accept' });
    expect(fetch('/openapi/v3/apis/apps/v1', registry)?.headers).not.toHaveProperty('cache-control');
  });

  it('leads clients with an old name to the document of today', () => {
    const registry = createRegistry(builtInResources);

    expect(fetch('/openapi/v3/apis/apps/v1?hash=ABC', registry)).toMatchObject({
      code: 301,
      headers: { location: urls(registry)['apis/apps/v1'] },
    });
  });

  it('does not send a document again that a client has', () => {
    const registry = createRegistry(builtInResources);
    const etag = fetch('/openapi/v3/api/v1', registry)?.headers?.['etag'] ?? '';

    expect(fetch('/openapi/v3/api/v1', registry, { 'if-none-match': etag })).toMatchObject({ code: 304, text: '' });
  });

  it('changes the documents of a group only with its kinds', () => {
    const registry = createRegistry(builtInResources);
    registry.replace('example.org/gadgets', [gadget]);
    const before = urls(registry);

    registry.replace('example.org/gadgets', [{ ...gadget, kind: 'Gizmo' }]);
    const after = urls(registry);

    expect(after['api/v1']).toBe(before['api/v1']);
    expect(after['apis/example.org/v1']).not.toBe(before['apis/example.org/v1']);

    registry.replace('example.org/gadgets', []);
    expect(urls(registry)).not.toHaveProperty(['apis/example.org/v1']);
  });

  it('does not speak protobuf', () => {
    const registry = createRegistry(builtInResources);
    const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';

    expect(fetch('/openapi/v3/api/v1', registry, { accept })).toMatchObject({ code: 406 });
    expect(fetch('/openapi/v3/api/v1', registry, { accept: `${accept}, application/json` })).toMatchObject({
      code: 200,
    });
  });

  it.each(['/openapi/v3/', '/openapi/v3/apis/nosuch/v1', '/openapi/v3/apis/apps'])('has nothing at %s', (path) => {
    expect(openApiAnswer(path, {}, createRegistry(builtInResources))).toMatchObject({ code: 404 });
  });

  it.each(['/', '/openapi', '/apis', '/openapi/v4'])('leaves %s to others', (path) => {
    expect(openApiAnswer(path, {}, createRegistry(builtInResources))).toBeUndefined();
  });
});

describe('/openapi/v2', () => {
  const registry = createRegistry(builtInResources);

  it('gives kubectl an empty document in protobuf', () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const answer = openApiAnswer('/openapi/v2', { accept }, registry);

    expect(answer).toMatchObject({
      code: 200,
      headers: { 'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
    });
    // Field 1 is the version of the format, field 2 is about the document: its title and version.
    expect(Buffer.from(answer?.text ?? '').toString('hex')).toBe(
      `0a03${hex('2.0')}12190a0a${hex('Kubernetes')}120b${hex('unversioned')}`,
    );
  });

  it('gives others the definitions in JSON', () => {
    const { swagger, definitions } = JSON.parse(openApiAnswer('/openapi/v2', {}, registry)?.text ?? '') as {
      swagger: string;
      definitions: Record<string, object>;
    };

    expect(swagger).toBe('2.0');
    expect(definitions).toHaveProperty(['io.k8s.api.core.v1.Secret']);
    expect(JSON.stringify(definitions)).not.toContain('#/components/');
  });

  it('follows changes', () => {
    const changing = createRegistry(builtInResources);
    expect(openApiAnswer('/openapi/v2', {}, changing)?.text).not.toContain('Gadget');

    changing.replace('example.org/gadgets', [gadget]);
    expect(openApiAnswer('/openapi/v2', {}, changing)?.text).toContain('org.example.v1.Gadget');
  });

  it('has nothing for clients that take neither', () => {
    expect(openApiAnswer('/openapi/v2', { accept: 'text/html' }, registry)).toMatchObject({ code: 406, text: '' });
  });
});

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
