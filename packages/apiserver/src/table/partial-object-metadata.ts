import type { ApiObject, Metadata } from '../objects/api-object.ts';

export const META_VERSION = 'meta.k8s.io/v1';

/** An object without everything but its metadata. */
export interface PartialObjectMetadata {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: typeof META_VERSION;
  readonly metadata: Metadata;
}

export interface PartialObjectMetadataList {
  readonly kind: 'PartialObjectMetadataList';
  readonly apiVersion: typeof META_VERSION;
  readonly metadata: object;
  /** Null when there are none, as Kubernetes writes it. */
  readonly items: readonly PartialObjectMetadata[] | null;
}

export function metadataOf({ metadata }: Pick<ApiObject, 'metadata'>): PartialObjectMetadata {
  return { kind: 'PartialObjectMetadata', apiVersion: META_VERSION, metadata };
}

/** @param listMetadata metadata of the list itself */
export function metadataListOf(objects: readonly ApiObject[], listMetadata: object): PartialObjectMetadataList {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: META_VERSION,
    metadata: listMetadata,
    items: objects.length === 0 ? null : objects.map(metadataOf),
  };
}
