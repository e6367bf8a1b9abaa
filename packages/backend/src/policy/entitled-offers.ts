import { apiName, type KlutchErrorCode, KlutchError } from '@klutch/api';
import type { Catalogue, Offer, Refusal } from '../templates/catalogue.ts';
import type { Tenant } from './tenant.ts';

/** An API as somebody asks for it. */
export interface RequestedApi {
  readonly group: string;
  readonly resource: string;
}

const refusals: Readonly<Record<Refusal, { readonly code: KlutchErrorCode; readonly what: string }>> = {
  NotExported: {
    code: 'KLUTCH_API_NOT_OFFERED',
    what: 'is not offered by this provider. Choose an API of its catalogue',
  },
  CRDNotFound: {
    code: 'KLUTCH_CRD_NOT_FOUND',
    what: 'has no definition on the control plane. Ask the operator to install it',
  },
  NotEntitled: { code: 'KLUTCH_NOT_ENTITLED', what: 'is not offered to your tenant. Ask the operator for access' },
  ScopeRefused: {
    code: 'KLUTCH_API_SCOPE_REFUSED',
    what: 'is cluster-scoped, and this provider offers namespaced APIs only. Choose another API',
  },
  ClaimsRefused: {
    code: 'KLUTCH_API_SCOPE_REFUSED',
    what: 'has permission claims, which this provider cannot grant in the scope of the cluster. Choose another API',
  },
};

/** The offers of all APIs a tenant asks for, each once, in the order asked; throws when one of them cannot be bound. */
export function entitledOffers(
  catalogue: Pick<Catalogue, 'find'>,
  apis: readonly RequestedApi[],
  tenant: Pick<Tenant, 'name'>,
): Offer[] {
  const distinct = new Map(apis.map((api) => [apiName(api), api]));
  return [...distinct].map(([name, api]) => {
    const found = catalogue.find(api, tenant);
    if (typeof found !== 'string') return found;
    const { code, what } = refusals[found];
    throw new KlutchError(code, `${name} ${what}.`);
  });
}
