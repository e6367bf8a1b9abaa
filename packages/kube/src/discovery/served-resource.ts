import type { ResourceType } from '../objects/resource-type.ts';

/** A resource type as an API server announces it. */
export interface ServedResource extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

/** What a server announces, as far as it knows. */
export interface Discovered {
  readonly resources: readonly ServedResource[];
  /** `group/version` of those whose own server does not answer: they may serve more than is known. */
  readonly silent: readonly string[];
}
