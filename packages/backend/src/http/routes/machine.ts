import { bindMachine, evictForMachine } from '@klutch/api/contract';
import type { FastifyInstance } from 'fastify';
import { tenantsOf } from '../../policy/tenants-of.ts';
import { askIn, checkBind, evictAll, grantBind } from '../bind-apis.ts';
import type { WebContext } from '../context.ts';
import { route } from '../route.ts';

/** `/bind-noninteractive` binds for machines that present an access token of the identity provider; `/evict` evicts for them. */
export function machineRoutes(app: FastifyInstance, context: WebContext): void {
  const report = (result: string) => context.metrics.bound('machine', result);
  route(
    app,
    context,
    bindMachine,
    async ({ caller, body }) => {
      const tenants = tenantsOf(caller, context.options.policy);
      return await grantBind(context, await checkBind(context, { caller, tenants, ...askIn(body) }), body.session);
    },
    { report },
  );

  route(app, context, evictForMachine, async ({ caller, body }) => {
    const tenants = tenantsOf(caller, context.options.policy);
    const ask = { caller, tenants, ...askIn(body), evict: body.evict };
    return await evictAll(context, await checkBind(context, ask), body.session);
  });
}
