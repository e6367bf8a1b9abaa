import type { AppClusterBindingReason, ConditionState, ConditionType } from '@klutch/api';
import type { KubeObject, ObjectRef, ResourceType } from '@klutch/kube';

/** One request to the control plane. */
export type Write =
  | { readonly verb: 'create'; readonly type: ResourceType<KubeObject>; readonly object: KubeObject }
  /** Server-side apply, by which fields that are no longer wanted go. */
  | { readonly verb: 'apply'; readonly type: ResourceType<KubeObject>; readonly object: KubeObject }
  | { readonly verb: 'patch'; readonly type: ResourceType<KubeObject>; readonly ref: ObjectRef; readonly patch: object }
  | {
      readonly verb: 'delete';
      readonly type: ResourceType<KubeObject>;
      readonly ref: ObjectRef;
      readonly uid: string | undefined;
    };

/** Writes that belong together: when one of them fails, the others are left, and the condition says why. */
export interface Step {
  readonly condition: ConditionType;
  readonly failure: AppClusterBindingReason;
  readonly writes: readonly Write[];
  /** What the condition says when all writes have succeeded. */
  readonly verdict: ConditionState;
  /** Whether later steps make no sense when this one fails. */
  readonly isVital: boolean;
}

export interface Decision {
  /** What is known without writing anything. */
  readonly conditions: readonly ConditionState[];
  readonly steps: readonly Step[];
}

export function deletionOf(type: ResourceType<KubeObject>, { metadata }: KubeObject): Write {
  const ref = { name: metadata.name ?? '', ...(metadata.namespace ? { namespace: metadata.namespace } : {}) };
  return { verb: 'delete', type, ref, uid: metadata.uid };
}
