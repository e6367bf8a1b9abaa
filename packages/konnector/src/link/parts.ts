import type { BindingBoard } from '../bindings/binding-board.ts';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import type { AcceptedClaim } from '../claims/accepted-claim.ts';
import type { BoundApi } from '../instances/bound-api.ts';
import type { MetadataRules } from '../instances/metadata-rules.ts';
import type { NamespaceMap, StillUsed } from '../namespaces/namespace-map.ts';
import type { Link, Running } from './link.ts';
import type { ClaimedType } from './supervise.ts';

/** Something that works on one kind of objects of a link, with settings of type `T` that may change while it runs. */
export interface Unit<T> extends Running {
  update(settings: T): void;
  /** Whether it still has objects in that namespace of the control plane. */
  stillUses(serviceNamespace: string): boolean;
}

interface Common {
  readonly link: Link;
  readonly board: BindingBoard;
  readonly signal: AbortSignal;
}

/** Keeps CRDs in step with exports, and knows which APIs can be synchronised. */
export interface SchemaPart extends Running {
  apis(): ReadonlyMap<string, BoundApi>;
  subscribe(changed: () => void): () => void;
}

/** The parts that do the work of a link. */
export interface Parts {
  runSchema(
    options: Common & { readonly bindings: BindingsOfLink; readonly bindingsIn: 'app' | 'control-plane' },
  ): SchemaPart;
  runNamespaces(options: {
    readonly link: Link;
    readonly stillUsed: StillUsed;
    readonly mayTakeOverFrom: (cluster: string) => boolean;
    readonly signal: AbortSignal;
  }): Running & { readonly map: NamespaceMap };
  runInstances(
    options: Common & {
      readonly api: BoundApi;
      readonly namespaces: NamespaceMap;
      readonly metadata: MetadataRules;
    },
  ): Unit<BoundApi>;
  runClaims(
    options: Common & {
      readonly type: ClaimedType;
      readonly claims: readonly AcceptedClaim[];
      readonly namespaces: NamespaceMap;
    },
  ): Unit<readonly AcceptedClaim[]>;
}
