import type { UnknownObject } from '@klutch/kube';
import type { HoldReason, LookAt } from './evidence.ts';
import type { Problem } from './status-patch.ts';

/** The next thing to do for a key. After it, the key is looked at again, until there is nothing to do. */
export type Step =
  | { readonly do: 'rest' }
  /** Put finalizer and annotation on the original. */
  | { readonly do: 'claim'; readonly original: UnknownObject }
  /** Apply the copy; `over` is the object that is there. */
  | { readonly do: 'apply'; readonly wanted: UnknownObject; readonly over?: Over }
  | {
      readonly do: 'status';
      readonly original: UnknownObject;
      readonly patch: object;
      readonly wanted: unknown;
      readonly hasCondition: boolean;
    }
  | { readonly do: 'deleteCopy'; readonly copy: UnknownObject; readonly exactly: boolean }
  /** Take the finalizer off the original; `withCrd`: it goes only because its CRD does. */
  | { readonly do: 'release'; readonly original: UnknownObject; readonly withCrd: boolean }
  /** Create an original in the app cluster. */
  | { readonly do: 'create'; readonly original: UnknownObject; readonly copy: UnknownObject }
  /** Ask a cluster instead of a cache. */
  | { readonly do: 'look'; readonly at: Exclude<LookAt, 'line'> | 'copy' }
  /** Ask the app cluster whether it is in the history of a stamp, after it was asked for the original. */
  | { readonly do: 'confirm'; readonly stamp: string | undefined; readonly timesSetBack: number };

/** The object that an apply meets. */
export interface Over {
  readonly copy: UnknownObject;
  /** It was not ours, or of another original, so far: nothing may have changed since it was looked at. */
  readonly isTakeOver: boolean;
}

export interface Decision {
  readonly step: Step;
  /** What keeps the original from travelling as it should. */
  readonly waiting?: Waiting;
  /** Why the copy stays without an original, or cannot be touched. */
  readonly held?: Held;
  /** An app namespace for which a place is needed. */
  readonly want?: string;
  /** Milliseconds after which to look again although nothing happened. */
  readonly againMs?: number;
}

export type Held = HoldReason | 'otherCluster';

export interface Waiting extends Problem {
  readonly since: number;
  /** Whether it has lasted long enough to be shown. */
  readonly isVisible: boolean;
  /** Whether somebody should do something about it. */
  readonly isWarning: boolean;
  /** The namespace has no place: counted on the binding. */
  readonly isNamespace: boolean;
}
