import { createHash } from 'node:crypto';
import { apiVersionOf, type ServedResource } from '../registry/served-resource.ts';
import type { ApiGroup, ApiVersion } from './api-groups.ts';
import { isStored, listedVerbs, storedKind, subresourcesOf } from './subresources.ts';

/** Discovery as it was before everything came in one document; clients without a cache still use it. */

/** `/api` */
export function apiVersions(serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis` */
export function apiGroupList(groups: readonly ApiGroup[]): object {
  const named = groups.filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: [...named].sort(byFirstService).map(groupFields) };
}

/** `/apis/<group>` */
export function apiGroup(group: ApiGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) };
}

/** `/api/v1` and `/apis/<group>/<version>` */
export function apiResourceList(group: string, { version, resources }: ApiVersion): object {
  return {
    kind: 'APIResourceList',
    // Kubernetes leaves it out for core, and always has.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap(resourceEntries),
  };
}

function groupFields({ name, versions }: ApiGroup) {
  const listed = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

/** Groups of one priority are ordered by the names of their APIServices, which begin with the version. */
function byFirstService(a: ApiGroup, b: ApiGroup): number {
  return b.priority - a.priority || (firstService(a) < firstService(b) ? -1 : 1);
}

function firstService({ name, versions }: ApiGroup): string {
  return versions.map(({ version }) => `${version}.${name}`).sort()[0] ?? '';
}

function resourceEntries(served: ServedResource): readonly object[] {
  const { resource, singular, namespaced, kind, shortNames, categories } = served;
  const main = {
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs: listedVerbs(served),
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(isStored(served) ? { storageVersionHash: hashOf(storedKind(served)) } : {}),
  };
  const parts = subresourcesOf(served).map(({ name, group, version, kind: exchanged, verbs }) => ({
    name: `${resource}/${name}`,
    singularName: '',
    namespaced,
    ...(group === undefined ? {} : { group, version }),
    kind: exchanged,
    verbs,
  }));
  return [main, ...parts];
}

/** Lets storage migrators see that the form in which objects are stored has changed. */
function hashOf(stored: string): string {
  return createHash('sha256').update(stored).digest().subarray(0, 8).toString('base64');
}
