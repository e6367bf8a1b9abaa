import { apiName, isKlutchError, KlutchError } from '@klutch/api';
import type { Audit } from '../audit/audit.ts';
import { audited } from '../http/audited.ts';
import type { WebContext } from '../http/context.ts';
import type { Ticket } from '../login/sealer.ts';
import { callerId } from '../policy/caller.ts';
import { entitledOffers } from '../policy/entitled-offers.ts';
import { requireMayBind } from '../policy/may-bind.ts';
import type { Provisioned } from '../tenants/app-cluster.ts';
import type { EnrolmentContent } from './issue-token.ts';
import type { Holder } from './token-holders.ts';

type Needed = Pick<WebContext, 'catalogue' | 'tenants' | 'tokenHolders' | 'options' | 'requireCatalogue'> & {
  readonly audit: Audit;
};

/** An enrolment token whose seal is unbroken and whose time is not over. */
export type EnrolmentTicket = Ticket<EnrolmentContent>;

/** Opens an enrolment token. Throws `KLUTCH_ENROLMENT_INVALID`. */
export async function openToken({ sealer }: Pick<WebContext, 'sealer'>, token: string): Promise<EnrolmentTicket> {
  const ticket = await sealer.open<EnrolmentContent>('enrolment', token);
  if (ticket !== undefined) return ticket;
  throw new KlutchError(
    'KLUTCH_ENROLMENT_INVALID',
    'The enrolment token has ended, was altered, or is of another backend. Make the bundle again with `klutch bind <provider-url> --bundle`, and apply it.',
  );
}

/**
 * Registers the app cluster that presents a token, asks for its exports, and issues its credential. Whether the caller may
 * bind, and the tenant may have the APIs, is decided now and not when the bundle was made. The first app cluster that comes owns
 * the token; it may come again until the token ends.
 */
export async function exchangeToken(context: Needed, ticket: EnrolmentTicket, holder: Holder): Promise<Provisioned> {
  const { caller, tenant, apis } = ticket.content;
  return await audited(
    context.audit,
    { action: 'Enrol', who: callerId(caller), tenant: tenant.name, what: apis.map(apiName) },
    () => exchange(context, ticket, holder),
    ({ namespace }) => ({ clusterNamespace: namespace }),
  );
}

async function exchange(context: Needed, ticket: EnrolmentTicket, holder: Holder): Promise<Provisioned> {
  const { tenants, tokenHolders, catalogue, options } = context;
  const { caller, tenant, clusterId, apis } = ticket.content;
  context.requireCatalogue();
  requireMayBind(caller, options.policy);
  const offers = entitledOffers(catalogue, apis, tenant);
  const cluster = { id: clusterId, uid: holder.uid };
  const owner = await tenants.ownerOf(cluster, [tenant], caller).catch((error: unknown) => {
    throw isKlutchError(error, 'KLUTCH_CLUSTER_IDENTITY_TAKEN') ? takenBy('another cluster', clusterId) : error;
  });
  const holding = await tokenHolders.claim(ticket, holder);
  if (holding.by !== 'presenter') throw takenBy(holding.by, clusterId);
  if (holding.isRegistered && owner === undefined) throw wasRemoved(clusterId);
  const provisioned = await tenants.provision(cluster, tenant, caller);
  await tokenHolders.noteRegistered(ticket);
  await tenants.requestExports(provisioned.namespace, offers);
  return provisioned;
}

function takenBy(by: 'another cluster' | 'another key', clusterId: string): KlutchError {
  const remake = `with \`klutch bind <provider-url> --bundle\``;
  const stolen = `it was stolen: have the operator revoke the app cluster with cluster id ${clusterId}`;
  const message =
    by === 'another cluster'
      ? `Another cluster has exchanged this bundle, which is for one cluster only. Make another bundle for this one ${remake}. If nobody applied it elsewhere, ${stolen}.`
      : `This bundle was exchanged before, and the key that was used then is not here. If namespace klutch-bind of this cluster was deleted since, make the bundle again ${remake} --cluster-id ${clusterId}. Otherwise ${stolen}.`;
  return new KlutchError('KLUTCH_CLUSTER_IDENTITY_TAKEN', message);
}

function wasRemoved(clusterId: string): KlutchError {
  const message = `The operator has removed the app cluster with cluster id ${clusterId} since this bundle was exchanged. Make the bundle again with \`klutch bind <provider-url> --bundle\`.`;
  return new KlutchError('KLUTCH_ACCESS_REVOKED', message);
}
