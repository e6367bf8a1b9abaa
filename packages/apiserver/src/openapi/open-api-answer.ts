import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { apiGroups } from '../discovery/index.ts';
import type { Answer } from '../http/answer.ts';
import type { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { openApiDocument } from './document.ts';
import { swaggerAnswer } from './swagger.ts';

/**
 * Describes what is served: `/openapi/v3` with an index of documents, the documents below it, and `/openapi/v2`.
 * Undefined for other paths.
 *
 * @param query tells which state of a document the client knows of
 */
export function openApiAnswer(
  path: string,
  headers: IncomingHttpHeaders,
  registry: Registry,
  query: URLSearchParams = new URLSearchParams(),
): Answer | undefined {
  if (path === '/openapi/v2') return swaggerAnswer(headers, registry);
  if (path === '/openapi/v3') return indexAnswer(registry);
  if (!path.startsWith('/openapi/v3/')) return undefined;
  const name = path.slice('/openapi/v3/'.length);
  const document = documentsOf(registry).get(name);
  return document ? documentAnswer(document, `/openapi/v3/${name}`, headers, query.get('hash')) : NOTHING_THERE;
}

const NOTHING_THERE: Answer = { code: 404, text: '', headers: {} };

function indexAnswer(registry: Registry): Answer {
  const paths = Object.fromEntries(
    [...documentsOf(registry)].map(([name, document]) => [
      name,
      { serverRelativeURL: `/openapi/v3/${name}?hash=${document.hash}` },
    ]),
  );
  return { code: 200, text: JSON.stringify({ paths }) };
}

function documentAnswer(document: Document, path: string, headers: IncomingHttpHeaders, hash: string | null): Answer {
  if (!takesJson(headers.accept)) return { code: 406, text: '', headers: { vary: 'Accept' } };
  const etag = `"${document.hash}"`;
  const shared = { etag, vary: 'Accept' };
  if (hash !== null && hash !== document.hash) {
    return { code: 301, text: '', headers: { ...shared, location: `${path}?hash=${document.hash}` } };
  }
  // A state that is named by its hash never changes.
  const caching: Record<string, string> =
    hash === null ? {} : { 'cache-control': 'public, immutable', expires: inOneYear() };
  if (headers['if-none-match'] === etag) return { code: 304, text: '', headers: { ...shared, ...caching } };
  return { code: 200, text: document.text, headers: { ...shared, ...caching } };
}

function inOneYear(): string {
  return new Date(Date.now() + 365 * 24 * 3600 * 1000).toUTCString();
}

function takesJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept
    .split(',')
    .some((range) => ['application/json', 'application/*', '*/*'].includes(range.split(';')[0]?.trim() ?? ''));
}

interface Document {
  readonly resources: readonly ServedResource[];
  readonly hash: string;
  readonly text: string;
}

/** A change of one type leaves the documents of other groups as they are. */
const remembered = new WeakMap<
  Registry,
  { readonly generation: number; readonly documents: ReadonlyMap<string, Document> }
>();

function documentsOf(registry: Registry): ReadonlyMap<string, Document> {
  const known = remembered.get(registry);
  if (known?.generation === registry.generation) return known.documents;
  const documents = new Map<string, Document>();
  for (const { name, versions } of apiGroups(registry)) {
    for (const { version, resources } of versions) {
      const path = name === '' ? `api/${version}` : `apis/${name}/${version}`;
      const before = known?.documents.get(path);
      documents.set(path, before && isSame(before.resources, resources) ? before : createDocument(resources));
    }
  }
  remembered.set(registry, { generation: registry.generation, documents });
  return documents;
}

function isSame(before: readonly ServedResource[], now: readonly ServedResource[]): boolean {
  return before.length === now.length && before.every((served, at) => served === now[at]);
}

function createDocument(resources: readonly ServedResource[]): Document {
  const text = JSON.stringify(openApiDocument(resources));
  return { resources, text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
}
