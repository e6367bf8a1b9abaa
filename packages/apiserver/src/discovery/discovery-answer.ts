import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { stringify } from 'yaml';
import type { Answer } from '../http/answer.ts';
import type { Registry } from '../registry/registry.ts';
import { StatusError } from '../status/status-error.ts';
import { acceptedForm } from './accepted-form.ts';
import { apiGroupDiscoveryList } from './aggregated.ts';
import { type ApiGroup, apiGroups } from './api-groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { serverPaths } from './server-paths.ts';
import { serverVersion } from './server-version.ts';

/**
 * Tells clients what is served: `/`, `/version`, `/api`, `/apis` and what is below them, as long as it is no resource.
 * Undefined for other paths. Throws a 406 for clients that take neither JSON nor YAML.
 */
export function discoveryAnswer(path: string, headers: IncomingHttpHeaders, registry: Registry): Answer | undefined {
  const [root, group, version, ...rest] = path.split('/').filter((segment) => segment !== '');
  if (rest.length > 0) return undefined;
  const groups = apiGroups(registry);
  switch (root) {
    case undefined:
      return plain(headers, { paths: serverPaths(groups) });
    case 'version':
      return group === undefined ? plain(headers, serverVersion) : undefined;
    case 'api':
      return coreAnswer(headers, groups, registry, group, version);
    case 'apis':
      if (group === undefined) {
        const named = groups.filter(({ name }) => name !== '');
        return collection(headers, registry, named, () => apiGroupList(groups));
      }
      return groupAnswer(
        headers,
        groups.find(({ name }) => name === group && name !== ''),
        version,
      );
    default:
      return undefined;
  }
}

function coreAnswer(
  headers: IncomingHttpHeaders,
  groups: readonly ApiGroup[],
  registry: Registry,
  version: string | undefined,
  more: string | undefined,
): Answer | undefined {
  const core = groups.filter(({ name }) => name === '');
  if (version === undefined) return collection(headers, registry, core, () => apiVersions(headers.host ?? ''));
  const served = core[0]?.versions.find((candidate) => candidate.version === version);
  return served && more === undefined ? plain(headers, apiResourceList('', served)) : undefined;
}

function groupAnswer(headers: IncomingHttpHeaders, group: ApiGroup | undefined, version: string | undefined): Answer {
  if (group === undefined) return PAGE_NOT_FOUND;
  if (version === undefined) return plain(headers, apiGroup(group));
  const served = group.versions.find((candidate) => candidate.version === version);
  return served ? plain(headers, apiResourceList(group.name, served)) : PAGE_NOT_FOUND;
}

/** What Kubernetes says where there is not even an API group. */
const PAGE_NOT_FOUND: Answer = {
  code: 404,
  text: '404 page not found\n',
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
};

interface Document {
  readonly text: string;
  readonly etag: string;
}

/** Aggregated documents of a registry, as long as it does not change. */
const documents = new WeakMap<readonly ApiGroup[], Map<string, Document>>();

function collection(
  headers: IncomingHttpHeaders,
  registry: Registry,
  groups: readonly ApiGroup[],
  legacy: () => object,
): Answer {
  if (acceptedForm(headers.accept) !== 'aggregated') return plain(headers, legacy());
  const { text, etag } = aggregatedDocument(apiGroups(registry), groups);
  // Caches of clients take over the type from an answer that says that nothing has changed, so it is there too.
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const shared = { etag, vary: 'Accept', 'cache-control': 'public', 'content-type': type };
  const isKnown = headers['if-none-match'] === etag;
  return { code: isKnown ? 304 : 200, text: isKnown ? '' : text, headers: shared };
}

function aggregatedDocument(all: readonly ApiGroup[], groups: readonly ApiGroup[]): Document {
  const known = documents.get(all) ?? new Map<string, Document>();
  documents.set(all, known);
  const key = groups[0]?.name ?? 'none';
  const found = known.get(key);
  if (found) return found;
  const text = JSON.stringify(apiGroupDiscoveryList(groups));
  const document = { text, etag: `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"` };
  known.set(key, document);
  return document;
}

function plain(headers: IncomingHttpHeaders, body: object): Answer {
  switch (acceptedForm(headers.accept)) {
    case 'yaml':
      return { code: 200, text: stringify(body), headers: { 'content-type': 'application/yaml' } };
    case 'json':
    case 'aggregated':
      return { code: 200, text: JSON.stringify(body) };
    default: {
      const message = 'only the following media types are accepted: application/json, application/yaml';
      throw new StatusError(406, 'NotAcceptable', message);
    }
  }
}
