import type { ApiObject } from '../../objects/api-object.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { Registry } from '../../registry/registry.ts';
import type { NamespaceCondition } from './conditions.ts';

/** A Namespace of `v1`, as far as controllers look at it. */
export interface Namespace extends ApiObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: NamespaceCondition[] };
}

/** Storage name of namespaces. */
export const NAMESPACE_BUCKET = '/namespaces';

/** Stands for the namespace controller in `spec.finalizers`. */
export const NAMESPACE_FINALIZER = 'kubernetes';

export function namespaceType(registry: Registry): ServedResource {
  return registry.require('', 'v1', 'namespaces');
}
