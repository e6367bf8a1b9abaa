import { isDeepStrictEqual } from 'node:util';
import type { LocalApiService } from '../../discovery/api-services.ts';
import type { ApiObject } from '../../objects/api-object.ts';

/** Marks APIServices that the server keeps by itself. */
const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** What is to be done so that there is an APIService for all that the server serves, and for nothing else. */
export interface ApiServiceChanges {
  readonly create: readonly ApiObject[];
  readonly replace: readonly ApiObject[];
  /** By name. */
  readonly remove: readonly string[];
}

/** Pure. What somebody else made or took over is left alone. */
export function decideApiServices(wanted: readonly LocalApiService[], stored: readonly ApiObject[]): ApiServiceChanges {
  const known = new Map(stored.map((object) => [object.metadata.name ?? '', object]));
  const names = new Set(wanted.map(({ name }) => name));
  return {
    create: wanted.filter(({ name }) => !known.has(name)).map(objectOf),
    replace: wanted.flatMap((service) => {
      const found = known.get(service.name);
      return found && isOurs(found) && !isDeepStrictEqual(found.spec, service.spec) ? [corrected(found, service)] : [];
    }),
    remove: stored.filter((object) => isOurs(object) && !names.has(object.metadata.name ?? '')).map(nameOf),
  };
}

function isOurs({ metadata }: ApiObject): boolean {
  return metadata.labels?.[AUTOMANAGED] !== undefined;
}

function nameOf({ metadata }: ApiObject): string {
  return metadata.name ?? '';
}

function objectOf({ name, labels, spec }: LocalApiService): ApiObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { ...labels } },
    spec,
  };
}

function corrected(found: ApiObject, { labels, spec }: LocalApiService): ApiObject {
  return { ...found, metadata: { ...found.metadata, labels: { ...found.metadata.labels, ...labels } }, spec };
}
