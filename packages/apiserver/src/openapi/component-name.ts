import type { ServedResource } from '../registry/served-resource.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const OBJECT_META = `${META}.ObjectMeta`;
export const LIST_META = `${META}.ListMeta`;
export const PATCH = `${META}.Patch`;
export const DELETE_OPTIONS = `${META}.DeleteOptions`;
export const STATUS = `${META}.Status`;
/** The form in which all kinds tell and take their number of replicas. */
export const SCALE = 'io.k8s.api.autoscaling.v1.Scale';

/** Schemas that every document has. */
export const SHARED: readonly string[] = [OBJECT_META, LIST_META, PATCH, DELETE_OPTIONS, STATUS];

/** Name of the schema of a kind, as Kubernetes would call it: `io.k8s.api.apps.v1.Deployment`, `org.example.v1.Widget`. */
export function componentName(served: ServedResource, kind: string): string {
  const { group, version, schemaName } = served;
  if (schemaName !== undefined) return schemaName.slice(0, -served.kind.length) + kind;
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/** Reference to a schema of the same document. */
export function refTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
