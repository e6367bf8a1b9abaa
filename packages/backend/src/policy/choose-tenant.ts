import { KlutchError } from '@klutch/api';
import type { Tenant } from './tenant.ts';

/** What is known when a tenant has to be chosen. */
export interface TenantChoice {
  /** Those the caller may act for. */
  readonly tenants: readonly Tenant[];
  /** The name the caller gave. */
  readonly asked?: string;
  /** The one of them with which the app cluster is registered. */
  readonly owner?: Tenant;
}

/**
 * The tenant a bind is for. Throws `KLUTCH_TENANT_UNDECIDED` when that takes a choice which was not made, or when the
 * caller has no such tenant, and `KLUTCH_CLUSTER_IDENTITY_TAKEN` when the cluster belongs to another one of theirs.
 */
export function chooseTenant({ tenants, asked, owner }: TenantChoice): Tenant {
  if (asked === undefined) return owner ?? onlyOne(tenants);
  const chosen = tenants.find(({ name }) => name === asked);
  if (chosen === undefined) throw undecided(`You do not belong to the tenant ${asked}`, tenants);
  if (owner !== undefined && owner.identity !== chosen.identity) {
    throw new KlutchError(
      'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      `This app cluster is registered with the tenant ${owner.name}. Bind for that tenant, or ask the operator to release it.`,
    );
  }
  return chosen;
}

/** Throws `KLUTCH_TENANT_UNDECIDED` when there is none to choose from. */
export function requireTenant(tenants: readonly Tenant[]): void {
  if (tenants.length === 0) throw undecided('You belong to no tenant of this provider', tenants);
}

function onlyOne(tenants: readonly Tenant[]): Tenant {
  requireTenant(tenants);
  const [tenant, ...others] = tenants;
  if (tenant !== undefined && others.length === 0) return tenant;
  throw undecided('You belong to several tenants', tenants);
}

function undecided(problem: string, tenants: readonly Tenant[]): KlutchError {
  const names = tenants.map(({ name }) => name).join(', ');
  const step = names === '' ? 'Ask the operator to be made a member of one' : `Name one of yours: ${names}`;
  return new KlutchError('KLUTCH_TENANT_UNDECIDED', `${problem}. ${step}.`);
}
