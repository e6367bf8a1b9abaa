import type { ConditionState } from '@klutch/api';

/** An APIServiceBinding, by place and identity. */
export interface BindingRef {
  readonly name: string;
  /** Absent for the cluster-scoped kind of released Go components. */
  readonly namespace?: string;
  readonly uid: string;
}

/**
 * Where all parts say what they know of a binding. One writer turns that into the binding's status, so that parts neither
 * overwrite each other nor write twice. Each condition type belongs to one part.
 */
export interface BindingBoard {
  /** States a condition; stating the same again does nothing. */
  report(binding: BindingRef, state: ConditionState): void;
  /** Takes a condition back: it disappears from the status. */
  withdraw(binding: BindingRef, type: string): void;
  /** States the display name of the provider. */
  reportProvider(binding: BindingRef, prettyName: string | undefined): void;
}
