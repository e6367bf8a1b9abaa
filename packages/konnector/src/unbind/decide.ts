import {
  annotations,
  type APIServiceBinding,
  type CustomResourceDefinition,
  finalizers,
  isOwnedByBinding,
} from '@klutch/api';
import type { ObjectMeta } from '@klutch/kube';
import { type UnbindPolicy, unbindPolicyOf } from '../schema/crd-marks.ts';
import { bindingOwnerOf, otherOwners } from '../schema/crd-ownership.ts';

/** Where a konnector looks after bindings. */
export interface Territory {
  /** UID that tells the cluster, or on a control plane the namespace. */
  readonly home: string;
  /** Namespace of the bindings; undefined: all. */
  readonly namespace: string | undefined;
}

/** UID of the binding that a CRD was made for, if it lives or lived in this territory. */
export function ownerWithin(
  crd: { readonly metadata: ObjectMeta },
  { home, namespace }: Territory,
): string | undefined {
  const place = crd.metadata.annotations?.[annotations.boundIn];
  const isWithin = namespace === undefined ? place?.startsWith(`${home}/`) : place === `${home}/${namespace}`;
  return isWithin ? bindingOwnerOf(crd)?.uid : undefined;
}

/** What to do with a CRD whose binding is gone, after its objects were let go. */
export type Farewell =
  | { readonly type: 'release'; readonly crd: CustomResourceDefinition }
  | { readonly type: 'delete' };

/**
 * `Keep` releases the CRD, so that the same tenant can take it over later; the others delete it. What a binding with
 * `Delete` owes the control plane is done before the binding goes.
 */
export function farewell(crd: CustomResourceDefinition): Farewell {
  const policy: UnbindPolicy = unbindPolicyOf(crd.metadata.annotations?.[annotations.onUnbind]) ?? 'Keep';
  if (policy !== 'Keep') return { type: 'delete' };
  const {
    [annotations.tenant]: tenant,
    [annotations.boundIn]: _boundIn,
    [annotations.onUnbind]: _onUnbind,
    [annotations.keptSchema]: _keptSchema,
    ...others
  } = crd.metadata.annotations ?? {};
  const released = tenant === undefined ? others : { ...others, [annotations.released]: tenant };
  return {
    type: 'release',
    crd: { ...crd, metadata: { ...crd.metadata, annotations: released, ownerReferences: [...otherOwners(crd)] } },
  };
}

/** What a binding needs so that its objects, and with them their copies, are deleted before it goes. */
export type Clearing =
  | { readonly type: 'nothing' }
  /** The binding must not go unnoticed. */
  | { readonly type: 'hold' }
  /** The binding goes: its objects have to go first. */
  | { readonly type: 'clear' }
  /** Nothing has to be cleared any more; `mark` is what the CRD has to say of unbinding before the binding is let go. */
  | { readonly type: 'letGo'; readonly mark?: { readonly onUnbind: string | null } };

/** Whether a binding has to do with clearing at all. */
export function isToBeCleared({ metadata }: APIServiceBinding): boolean {
  return (
    metadata.annotations?.[annotations.onUnbind] === 'Delete' || !!metadata.finalizers?.includes(finalizers.unbind)
  );
}

/** Decides about the finalizer of a binding. `crd` is the CRD of its name, whoever made it. */
export function clearing(binding: APIServiceBinding, crd: CustomResourceDefinition | undefined): Clearing {
  const said = binding.metadata.annotations?.[annotations.onUnbind];
  const isWanted = said === 'Delete';
  const isHeld = binding.metadata.finalizers?.includes(finalizers.unbind) ?? false;
  const isGoing = binding.metadata.deletionTimestamp !== undefined;
  if (!isHeld) return isWanted && !isGoing ? { type: 'hold' } : { type: 'nothing' };
  const isOwn = crd !== undefined && isOwnedByBinding(crd, binding);
  if (isWanted && isGoing && isOwn) return { type: 'clear' };
  if (isWanted && !isGoing) return { type: 'nothing' };
  // Somebody changed their mind: the CRD must know before nobody can tell it any more.
  const policy = said === undefined ? undefined : unbindPolicyOf(said);
  const isTold = !isOwn || crd.metadata.annotations?.[annotations.onUnbind] === policy;
  return isTold ? { type: 'letGo' } : { type: 'letGo', mark: { onUnbind: policy ?? null } };
}
