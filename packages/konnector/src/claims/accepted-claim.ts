import type { AcceptablePermissionClaim } from '@klutch/api';
import type { BindingRef } from '../bindings/binding-board.ts';

/** A claim that the user accepted on a binding. */
export interface AcceptedClaim {
  readonly binding: BindingRef;
  /** `<plural>.<group>` of the bound API. */
  readonly api: string;
  readonly claim: AcceptablePermissionClaim;
}
