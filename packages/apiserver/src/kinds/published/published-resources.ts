import type { Verb } from '../../registry/served-resource.ts';
import { dataLines } from './data-lines.ts';

/** A built-in resource type as the discovery of Kubernetes tells it. */
export interface PublishedResource {
  /** Empty for core. */
  readonly group: string;
  readonly version: string;
  /** Name of its schema: `io.k8s.api.apps.v1.Deployment`. */
  readonly type: string;
  /** The plural of URLs. */
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly PublishedSubresource[];
}

interface PublishedSubresource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly group?: string;
  readonly version?: string;
}

/** All built-in resource types that are served, in the order of their groups and names. */
export const publishedResources: readonly PublishedResource[] = dataLines('resources.jsonl').map(
  (line) => JSON.parse(line) as PublishedResource,
);

/** Throws when there is no such type: what is served must be published. */
export function publishedResource(group: string, name: string): PublishedResource {
  const found = publishedResources.find((resource) => resource.group === group && resource.name === name);
  if (!found) throw new Error(`${name} of group "${group}" is not among the published resources`);
  return found;
}
