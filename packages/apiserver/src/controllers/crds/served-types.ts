import { type Crd, isEstablished } from '../../crd/crd.ts';
import type { ServedResource, Verb } from '../../registry/served-resource.ts';

/** Makes resource types of a CustomResourceDefinition, one per served version. */
export type TypesOfCrd = (crd: Crd) => readonly ServedResource[];

/** What discovery offers of a type whose definition is being deleted; updates work, so that finalizers can be removed. */
const TERMINATING_VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

/** Pure: what clients can address because of a CustomResourceDefinition in its present state. */
export function servedTypes(crd: Crd, typesOf: TypesOfCrd): readonly ServedResource[] {
  if (!isEstablished(crd)) return [];
  const types = typesOf(crd);
  if (crd.metadata.deletionTimestamp === undefined) return types;
  return types.map((type) => ({ ...type, verbs: TERMINATING_VERBS }));
}

/** Pure: the type in which objects of a definition are stored, served or not. */
export function storageType(crd: Crd, typesOf: TypesOfCrd): ServedResource | undefined {
  const versions = crd.spec.versions.filter(({ storage }) => storage).map((version) => ({ ...version, served: true }));
  return typesOf({ ...crd, spec: { ...crd.spec, versions } })[0];
}
