import {
  type APIServiceBinding,
  APIServiceBindingReason,
  type CustomResourceDefinition,
  isOwnedByBinding,
} from '@klutch/api';
import { keyOf } from '@klutch/kube';
import { refOfBinding } from '../bindings/binding-ref.ts';
import { disconnected, type SchemaConditions } from './conditions.ts';

/**
 * Bindings of the same name in different namespaces want the same CRD. The one that it was made for gets it; else the
 * oldest. The others follow in the result.
 */
export function byRightTo(
  crd: CustomResourceDefinition | undefined,
  rivals: readonly APIServiceBinding[],
): readonly APIServiceBinding[] {
  const rank = (binding: APIServiceBinding) => (crd && isOwnedByBinding(crd, binding) ? 0 : 1);
  return [...rivals].sort((a, b) => rank(a) - rank(b) || compare(seniority(a), seniority(b)));
}

/** What a binding has to say that came too late. */
export function outdone(winner: APIServiceBinding): SchemaConditions {
  return disconnected(
    APIServiceBindingReason.ForeignCustomResourceDefinition,
    `APIServiceBinding ${keyOf(refOfBinding(winner))} has bound this API already. Delete one of the two.`,
  );
}

function seniority(binding: APIServiceBinding): string {
  return `${binding.metadata.creationTimestamp ?? ''} ${keyOf(refOfBinding(binding))}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
