import { type AppClusterBinding, labels } from '@klutch/api';
import { keyOf, type KubeObject } from '@klutch/kube';

/** Where an AppClusterBinding is. */
export interface BindingRef {
  readonly namespace: string;
  readonly name: string;
}

/** An AppClusterBinding that is stored. */
export type StoredBinding = AppClusterBinding & { readonly metadata: BindingRef };

/** Labels on everything that is derived from a binding. */
export function bindingLabels({ namespace, name }: BindingRef): Readonly<Record<string, string>> {
  return { [labels.appClusterBindingName]: name, [labels.appClusterBindingNamespace]: namespace };
}

/** Whether an object says that it was derived from this binding. */
export function isDerivedFrom(object: KubeObject | undefined, binding: BindingRef): boolean {
  return object !== undefined && bindingKeyOf(object) === keyOf(binding);
}

/** Key of the binding that an object says it was derived from. */
export function bindingKeyOf({ metadata }: KubeObject): string | undefined {
  const name = metadata.labels?.[labels.appClusterBindingName];
  const namespace = metadata.labels?.[labels.appClusterBindingNamespace];
  return name && namespace ? keyOf({ name, namespace }) : undefined;
}
