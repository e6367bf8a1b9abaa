import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { stringify } from 'yaml';
import { type Answer, pageNotFound } from '../http/answer.ts';
import type { Registry } from '../registry/registry.ts';
import { noSuchPath, StatusError } from '../status/status-error.ts';
import { acceptedForm } from './accepted-form.ts';
import { apiGroupDiscoveryList } from './aggregated.ts';
import { type ApiGroup, apiGroups } from './api-groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { serverPaths } from './server-paths.ts';
import { serverVersion } from './server-version.ts';

/**
 * Tells clients what is served: `/`, `/version`, `/api`, `/apis` and what is below them, as long as it is no resource.
 * Undefined for other paths. Throws a 404 where something is missing below a path that is there, and a 406 for clients that
 * take neither JSON nor YAML.
 */
export function discoveryAnswer(path: string, headers: IncomingHttpHeaders, registry: Registry): Answer | undefined {
  const [root, group, version, ...rest] = path.split('/').filter((segment) => segment !== '');
  if (rest.length > 0) return undefined;
  const groups = apiGroups(registry);
  switch (root) {
    case undefined:
      return plain(headers, { paths: serverPaths(groups) });
    case 'version':
      if (group !== undefined) throw noSuchPath();
      return plain(headers, serverVersion);
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
  if (more !== undefined) return undefined;
  return versionAnswer(headers, core[0], version);
}

function groupAnswer(headers: IncomingHttpHeaders, group: ApiGroup | undefined, version: string | undefined): Answer {
  if (group !== undefined && version === undefined) return plain(headers, apiGroup(group));
  return versionAnswer(headers, group, version);
}

/** Groups of built-in kinds know that a version is missing; elsewhere there is just nothing. */
function versionAnswer(headers: IncomingHttpHeaders, group: ApiGroup | undefined, version: string | undefined): Answer {
  const served = group?.versions.find((candidate) => candidate.version === version);
  if (group && served) return plain(headers, apiResourceList(group.name, served));
  if (group?.versions.some(({ resources }) => resources.some(({ builtIn }) => builtIn))) throw noSuchPath();
  return pageNotFound;
}

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
  const shared = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (headers['if-none-match'] === etag) return { code: 304, text: '', headers: shared };
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { code: 200, text, headers: { ...shared, 'content-type': type } };
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
