import type { ResourceType } from '../objects/resource-type.ts';

/** A resource type as an API server announces it. */
export interface ServedResource extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}
