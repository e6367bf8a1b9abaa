import type { ObjectMeta, OwnerReference } from '@klutch/kube';
import type { APIServiceBinding } from '../kinds/api-service-binding.ts';
import { apiVersion } from './groups.ts';

/** Owner reference that marks a CRD as made for a binding. */
export function bindingOwnerReference(binding: APIServiceBinding): OwnerReference {
  return {
    apiVersion,
    kind: 'APIServiceBinding',
    name: binding.metadata.name ?? '',
    uid: binding.metadata.uid ?? '',
    controller: true,
  };
}

/** Whether an object was made for this very binding: same name and same UID, not one that had the name before. */
export function isOwnedByBinding(object: { readonly metadata: ObjectMeta }, binding: APIServiceBinding): boolean {
  const { name, uid } = binding.metadata;
  if (uid === undefined) return false;
  const owners = object.metadata.ownerReferences ?? [];
  return owners.some((owner) => isBindingReference(owner) && owner.name === name && owner.uid === uid);
}

function isBindingReference(owner: OwnerReference): boolean {
  return owner.kind === 'APIServiceBinding' && owner.apiVersion.split('/')[0] === apiVersion.split('/')[0];
}
