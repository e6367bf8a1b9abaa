import {
  annotations,
  type APIServiceBinding,
  type CustomResourceDefinition,
  group,
  isOwnedByBinding,
} from '@klutch/api';
import type { ObjectMeta, OwnerReference } from '@klutch/kube';

/** Whose a CRD is, seen from a binding: its own, free to be taken over, or somebody else's. */
export type CrdOwnership = 'own' | 'free' | 'foreign';

export interface OwnershipFacts {
  /** `<cluster namespace>/<UID>` of the tenant that the binding is bound to. */
  readonly tenant: string;
  /** Whether the binding that the CRD names as its owner is known to exist no more. */
  readonly ownerIsGone: boolean;
}

/**
 * A CRD belongs to the binding that its owner reference names. One that an earlier binding of the same name and tenant
 * left behind may be taken over, and so may one that is marked as released by this tenant.
 */
export function ownershipOf(
  crd: CustomResourceDefinition,
  binding: APIServiceBinding,
  { tenant, ownerIsGone }: OwnershipFacts,
): CrdOwnership {
  if (isOwnedByBinding(crd, binding)) return 'own';
  if (crd.metadata.ownerReferences?.some((owner) => owner.controller && !isBinding(owner))) return 'foreign';
  const marks = crd.metadata.annotations ?? {};
  const owner = bindingOwnerOf(crd);
  if (owner === undefined) return marks[annotations.released] === tenant ? 'free' : 'foreign';
  const sameTenant = (marks[annotations.tenant] ?? tenant) === tenant;
  return owner.name === binding.metadata.name && ownerIsGone && sameTenant ? 'free' : 'foreign';
}

/** The binding that an object names as its owner. */
export function bindingOwnerOf({ metadata }: { readonly metadata: ObjectMeta }): OwnerReference | undefined {
  return metadata.ownerReferences?.find(isBinding);
}

/** The owner references of an object that are not to bindings. */
export function otherOwners({ metadata }: { readonly metadata: ObjectMeta }): readonly OwnerReference[] {
  return (metadata.ownerReferences ?? []).filter((owner) => !isBinding(owner));
}

function isBinding(owner: OwnerReference): boolean {
  return owner.kind === 'APIServiceBinding' && owner.apiVersion.startsWith(`${group}/`);
}
