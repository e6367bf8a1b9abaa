import { type APIServiceBinding, bundleNames, finalizers, labels } from '@klutch/api';
import type { KubeObject } from '@klutch/kube';
import { secretRefOf } from '../bindings/group-bindings.ts';

/** What is known when a guard is considered. */
export interface Observed {
  readonly guard: Pick<KubeObject, 'metadata'>;
  readonly bindings: readonly APIServiceBinding[];
  /** Whether bindings that are gone have left something behind that is not cleaned up yet; asked only if it matters. */
  readonly hasLeftovers: () => Promise<boolean>;
}

/** `keep`: it is in use. `wait`: it is to go, but not yet. `release`: its finalizer can be removed. */
export type Decision = 'keep' | 'wait' | 'release';

/** Whether a guard still has something to hold: bindings of its bundle, or what they left behind. */
export async function decide({ guard: { metadata }, bindings, hasLeftovers }: Observed): Promise<Decision> {
  if (metadata.deletionTimestamp === undefined) return 'keep';
  if (!metadata.finalizers?.includes(finalizers.guard)) return 'keep';
  const { kubeconfigSecret } = bundleNames(metadata.labels?.[labels.enrolment] ?? '');
  if (bindings.some((binding) => secretRefOf(binding)?.name === kubeconfigSecret)) return 'wait';
  return (await hasLeftovers()) ? 'wait' : 'release';
}
