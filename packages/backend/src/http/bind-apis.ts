import { apiName, apiVersion, type BindingResponse } from '@klutch/api';
import type { BindRequest } from '@klutch/api/contract';
import type { AuditRecord } from '../audit/audit.ts';
import { type Caller, callerId } from '../policy/caller.ts';
import { chooseTenant } from '../policy/choose-tenant.ts';
import { entitledOffers, type RequestedApi } from '../policy/entitled-offers.ts';
import type { Tenant } from '../policy/tenant.ts';
import type { Offer } from '../templates/catalogue.ts';
import type { PresentedCluster } from '../tenants/app-cluster.ts';
import { requestedSpec } from '../tenants/request-exports.ts';
import { audited } from './audited.ts';
import type { WebContext } from './context.ts';
import { failureOf } from './failure.ts';

/** Somebody who may bind asks for APIs in an app cluster. */
export interface BindAsk {
  readonly caller: Caller;
  readonly tenants: readonly Tenant[];
  readonly cluster: PresentedCluster;
  readonly apis: readonly RequestedApi[];
  /** Name of the tenant, where the caller chose one. */
  readonly tenant?: string;
}

/** What a request without the catalogue page asks for. */
export function askIn({
  clusterID,
  clusterUID,
  apis,
  tenant,
}: BindRequest): Pick<BindAsk, 'cluster' | 'apis' | 'tenant'> {
  return {
    cluster: { id: clusterID, ...(clusterUID !== undefined && { uid: clusterUID }) },
    apis: apis.map(requestedApi),
    ...(tenant !== undefined && { tenant }),
  };
}

/** An API as a request names it. */
export function requestedApi({ group = '', resource }: BindRequest['apis'][number]): RequestedApi {
  return { group, resource };
}

/** An ask that can be granted. */
export interface CheckedBind {
  readonly ask: BindAsk;
  readonly tenant: Tenant;
  readonly offers: readonly Offer[];
}

/** Checks everything that can be checked before the first write. Throws what is wrong, with the code of the error catalogue. */
export async function checkBind(context: WebContext, ask: BindAsk): Promise<CheckedBind> {
  try {
    context.requireCatalogue();
    const owner = await context.tenants.ownerOf(ask.cluster, ask.tenants, ask.caller);
    const tenant = chooseTenant({ tenants: ask.tenants, asked: ask.tenant, owner });
    return { ask, tenant, offers: entitledOffers(context.catalogue, ask.apis, tenant) };
  } catch (error) {
    context.audit.record({ ...entryOf(ask), tenant: ask.tenant, result: failureOf(error).code });
    throw error;
  }
}

/** Registers the cluster and returns the answer that a command acts upon. It holds a credential. */
export async function grantBind(
  context: WebContext,
  { ask, tenant, offers }: CheckedBind,
  sid = '',
): Promise<BindingResponse> {
  const { kubeconfig } = await audited(
    context.audit,
    { ...entryOf(ask), tenant: tenant.name },
    () => context.tenants.provision(ask.cluster, tenant, ask.caller),
    ({ namespace }) => ({ clusterNamespace: namespace }),
  );
  return {
    kind: 'BindingResponse',
    apiVersion,
    authentication: { oauth2CodeGrant: { sid, id: callerId(ask.caller) } },
    kubeconfig: Buffer.from(kubeconfig).toString('base64'),
    requests: offers.map(requestFor),
  };
}

function entryOf({ caller, apis }: BindAsk): Pick<AuditRecord, 'action' | 'who' | 'what'> {
  return { action: 'Bind', who: callerId(caller), what: apis.map(apiName) };
}

/** The request for an offer, as commands are told it. */
export function requestFor(offer: Offer): BindingResponse['requests'][number] {
  return {
    kind: 'APIServiceExportRequest',
    apiVersion,
    metadata: { name: apiName(offer) },
    spec: requestedSpec(offer),
  };
}
