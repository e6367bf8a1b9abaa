import type { UnknownObject } from '@klutch/kube';
import type { Line } from '../epoch/line.ts';
import type { Claimant, Ground } from '../ownership/marks.ts';
import type { Place } from '../ownership/placement.ts';
import type { BoundApi } from './bound-api.ts';
import type { KeyMemory } from './memory.ts';
import type { RenderContext } from './render.ts';

/** What is known of the place of a copy. */
export type CopyLook =
  | { readonly state: 'known'; readonly object: UnknownObject | undefined }
  /** The control plane has not been read there; `problem` says why, if there is a reason. */
  | { readonly state: 'unknown'; readonly problem?: string };

/** Everything a decision about one key depends on. */
export interface Seen {
  readonly key: string;
  readonly api: BoundApi;
  readonly claimant: Claimant;
  readonly ground: Ground;
  readonly render: RenderContext;
  readonly app: UnknownObject | undefined;
  readonly place: Place;
  readonly copy: CopyLook;
  readonly memory: Readonly<KeyMemory>;
  /** What was asked of the clusters during this pass, rather than read from a cache. */
  readonly looked: Looked;
  /** When the original was first missed; undefined when it is not. */
  readonly missedSince: number | undefined;
  readonly isBraked: boolean;
  /** The history of the app cluster. */
  readonly line: Pick<Line, 'judge'>;
  /** Milliseconds that never jump. */
  readonly now: number;
  readonly date: Date;
}

export interface Looked {
  /** The API's CRD in the app cluster. */
  readonly crd?: SeenCrd;
  /** Whether the app cluster has no original. */
  readonly isOriginalAbsent?: boolean;
  /** How often the app cluster had been set back before it was asked for the original. */
  readonly timesSetBack?: number;
  /** Whether the app cluster, asked after that, is in the history in which the copy got its stamp. */
  readonly isConfirmed?: boolean;
  /** Whether the control plane has no copy. */
  readonly isCopyGone?: boolean;
  /** The copy that the control plane has. */
  readonly copy?: UnknownObject;
  /** Why the control plane does not say whether it has a copy. */
  readonly copyProblem?: string;
}

export interface SeenCrd {
  readonly isAvailable: boolean;
  /** By the clock of the app cluster, as that of the originals. */
  readonly created?: string;
  /** The moment by which it was there. */
  readonly stamp?: string;
  /** It is the one that was there when the work on the API began. */
  readonly isFirst: boolean;
}
