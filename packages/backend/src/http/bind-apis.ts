import { apiName, apiVersion, type BindingResponse, KlutchError } from '@klutch/api';
import type { BindRequest, FreshCredential } from '@klutch/api/contract';
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
  /** Set when all credentials of the app cluster of this namespace are to end, and nothing is to be bound. */
  readonly evict?: string;
}

/** What a login is for; it yields nothing else. */
export type Purpose = 'credential' | 'bundle' | 'eviction';

/** What a login was begun for. */
export function purposeOf({
  evict,
  enrolmentSeconds,
}: {
  readonly evict?: string;
  readonly enrolmentSeconds?: number;
}): Purpose {
  if (evict !== undefined) return 'eviction';
  return enrolmentSeconds === undefined ? 'credential' : 'bundle';
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
    if (ask.evict !== undefined) {
      return { ask, tenant: await context.tenants.ownerOfNamespace(ask.evict, ask.tenants), offers: [] };
    }
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

/** Ends all credentials of an app cluster and returns the only one that works from then on. */
export async function evictAll(
  context: WebContext,
  { ask, tenant }: CheckedBind,
  session = '',
): Promise<FreshCredential> {
  const { evict: target } = ask;
  if (target === undefined) throw new KlutchError('KLUTCH_REQUEST_INVALID', 'Field evict: required for an eviction.');
  const entry = { ...entryOf(ask), tenant: tenant.name };
  const { namespace, kubeconfig } = await audited(context.audit, entry, () => context.tenants.evict(target, tenant));
  return { session, namespace, kubeconfig: Buffer.from(kubeconfig).toString('base64') };
}

function entryOf({ caller, apis, evict }: BindAsk): Omit<AuditRecord, 'result'> {
  if (evict !== undefined) return { action: 'Evict', who: callerId(caller), clusterNamespace: evict };
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
