import type { CustomResourceDefinition, OfferedApi } from '@klutch/api';
import type { Tenant } from '../policy/tenant.ts';

/** An API that can be bound: a template together with the CRD it names. */
export interface Offer extends OfferedApi {
  /** `<resource>.<group>`. */
  readonly name: string;
  readonly crd: CustomResourceDefinition;
  /** Names of the tenants that may bind it; undefined when all may. */
  readonly allowedTenants?: readonly string[];
  /** For people. */
  readonly description?: string;
}

/** Why an API cannot be bound. */
export type Refusal = 'NotExported' | 'CRDNotFound' | 'NotEntitled' | 'ScopeRefused' | 'ClaimsRefused';

/** What can be bound, and by whom: the one place that decides it for pages, HTTP and controllers. */
export interface Catalogue {
  /** All offers to a tenant, ordered by name, each once. */
  offersTo(tenant: Pick<Tenant, 'name'> | undefined): readonly Offer[];
  /** The offer of one API to a tenant, or why there is none. Undefined as tenant: nobody in particular. */
  find(
    api: { readonly group?: string; readonly resource: string },
    tenant: Pick<Tenant, 'name'> | undefined,
  ): Offer | Refusal;
  /** Calls back when offers may have changed, with the names of the APIs; returns how to stop that. */
  onChange(listener: (names: readonly string[]) => void): () => void;
  /** Resolves when the control plane was read once. */
  readonly synced: Promise<void>;
}

/** A catalogue for controllers, which also look after what was bound before. */
export interface CompleteCatalogue extends Catalogue {
  /**
   * Why an API that was exported to a tenant is no longer offered to it, so that its rights end; undefined while it is
   * offered, or while that is not certain: see {@link withdrawalOf}.
   */
  withdrawal(
    api: { readonly group?: string; readonly resource: string },
    tenant: Pick<Tenant, 'name'> | undefined,
  ): Refusal | undefined;
  /** What any tenant may bind, of whatever scope, ordered by name. */
  all(): readonly Offer[];
}
