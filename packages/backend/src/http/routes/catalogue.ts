import type { FastifyInstance } from 'fastify';
import type { Ticket } from '../../login/sealer.ts';
import { cataloguePage } from '../../pages/catalogue-page.ts';
import type { OfferOnPage } from '../../pages/offer-item.ts';
import { evictionPage } from '../../pages/eviction-page.ts';
import type { Tenant } from '../../policy/tenant.ts';
import type { Catalogue } from '../../templates/catalogue.ts';
import type { Session, WebContext } from '../context.ts';
import { formToken } from '../forgery.ts';
import type { LoginRequest } from '../login-request.ts';
import { queryOf } from '../requests.ts';
import { findSession, isForCommand } from '../session.ts';
import { beginLogin } from './login.ts';

/** `/resources` shows the catalogue to those who are logged in, and sends others to log in. */
export function catalogueRoutes(app: FastifyInstance, context: WebContext): void {
  app.get('/resources', { config: { answers: 'pages' } }, async (request, reply) => {
    const session = await findSession(context, request);
    if (session === undefined) return await beginLogin(context, request, reply);
    const chosen = [...queryOf(request).getAll('api'), ...(session.content.login?.apis ?? [])];
    return await reply.type('text/html; charset=utf-8').send(await renderCatalogue(context, session, { chosen }));
  });
}

/**
 * The page of a session: the catalogue, or what an eviction means. Throws when the app cluster belongs to somebody else.
 */
export async function renderCatalogue(
  context: WebContext,
  session: Ticket<Session>,
  form: { readonly chosen: readonly string[]; readonly tenant?: string; readonly problem?: string },
): Promise<string> {
  const { options, catalogue } = context;
  const { caller, login, tenants: own } = session.content;
  if (login?.evict !== undefined) {
    const { name: tenant } = await context.tenants.ownerOfNamespace(login.evict, own);
    const token = formToken(context.sealer.derive('form'), session.id);
    const target = new URL(login.redirect).host;
    return evictionPage({
      provider: options.prettyName,
      user: caller.displayName,
      tenant,
      namespace: login.evict,
      target,
      token,
    });
  }
  context.requireCatalogue();
  const tenants = await tenantsToChooseFrom(context, session);
  return cataloguePage({
    provider: options.prettyName,
    user: caller.displayName,
    tenants: tenants.map(({ name }) => name),
    offers: offersTo(catalogue, tenants),
    exportUrl: `${options.baseUrl}/export`,
    problem: form.problem,
    ...(isForCommand(session) &&
      login !== undefined && {
        form: {
          token: formToken(context.sealer.derive('form', session), session.id),
          clusterId: login.cid,
          target: new URL(login.redirect).host,
          chosen: form.chosen,
          tenant: form.tenant,
          ...(login.enrolmentSeconds !== undefined && {
            bundleUntil: new Date(context.clock.date().getTime() + login.enrolmentSeconds * 1000),
          }),
        },
      }),
  });
}

/** A cluster that is registered leaves no choice. */
async function tenantsToChooseFrom(context: WebContext, { content }: Ticket<Session>): Promise<readonly Tenant[]> {
  const { login, tenants, caller } = content;
  if (login === undefined) return tenants;
  const owner = await context.tenants.ownerOf(presented(login), tenants, caller);
  return owner === undefined ? tenants : [owner];
}

/** The app cluster of a login. */
export function presented({ cid, uid }: LoginRequest) {
  return { id: cid, ...(uid !== undefined && { uid }) };
}

/** What any of the tenants may bind, by name, each once. */
function offersTo(catalogue: Catalogue, tenants: readonly Tenant[]): OfferOnPage[] {
  const byTenant = tenants.map((tenant) => ({ tenant, offers: catalogue.offersTo(tenant) }));
  const distinct = new Map(byTenant.flatMap(({ offers }) => offers.map((offer) => [offer.name, offer] as const)));
  return [...distinct.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((offer) => {
      const entitled = byTenant.filter(({ offers }) => offers.some(({ name }) => name === offer.name));
      const isForAll = entitled.length === tenants.length;
      return { offer, ...(!isForAll && { onlyFor: entitled.map(({ tenant }) => tenant.name) }) };
    });
}
