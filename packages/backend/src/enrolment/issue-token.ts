import { apiName, KlutchError } from '@klutch/api';
import type { EnrolmentGrant } from '@klutch/api/contract';
import { type CheckedBind, requestFor } from '../http/bind-apis.ts';
import type { WebContext } from '../http/context.ts';
import { type Caller, callerId } from '../policy/caller.ts';
import type { RequestedApi } from '../policy/entitled-offers.ts';
import type { Tenant } from '../policy/tenant.ts';

/** What an enrolment token stands for. */
export interface EnrolmentContent {
  /** Who logged in for the bundle. */
  readonly caller: Caller;
  readonly tenant: Tenant;
  /** The id under which the app cluster will be registered. */
  readonly clusterId: string;
  readonly apis: readonly RequestedApi[];
}

/**
 * The answer to a login for a bundle. It holds a token that an app cluster can exchange for its credential, and no credential;
 * nothing is registered yet.
 */
export async function issueToken(
  { sealer, clock, audit }: WebContext,
  { ask: { caller, cluster, apis }, tenant, offers }: CheckedBind,
  { enrolmentSeconds, session = '' }: { readonly enrolmentSeconds?: number; readonly session?: string },
): Promise<EnrolmentGrant> {
  if (enrolmentSeconds === undefined) {
    throw new KlutchError('KLUTCH_REQUEST_INVALID', 'Field enrolmentSeconds: required for a bundle.');
  }
  const content: EnrolmentContent = { caller, tenant, clusterId: cluster.id, apis };
  const expiresAt = new Date(clock.date().getTime() + enrolmentSeconds * 1000).toISOString();
  const token = await sealer.seal<EnrolmentContent>('enrolment', content, enrolmentSeconds);
  audit.record({
    action: 'Enrol',
    who: callerId(caller),
    tenant: tenant.name,
    what: apis.map(apiName),
    result: 'success',
  });
  return { session, clusterID: cluster.id, token, expiresAt, requests: offers.map(requestFor) };
}
