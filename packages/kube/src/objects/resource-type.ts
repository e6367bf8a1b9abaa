import type { KubeObject, UnknownObject } from './meta.ts';

/**
 * A resource served by an API server: where its objects live on the wire and what kind they are.
 * The type parameter is the shape of its objects; it exists only at compile time.
 */
export interface ResourceType<T extends KubeObject = UnknownObject> {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Lower-case plural as used in URLs. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Never set: carries `T` for inference. */
  readonly _object?: T;
}

/** `group/version`, or `version` for the core group. */
export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}
