import { bundleForMachine, exchangeEnrolment } from '@klutch/api/contract';
import type { FastifyInstance } from 'fastify';
import { exchangeToken, openToken } from '../../enrolment/exchange-token.ts';
import { issueToken } from '../../enrolment/issue-token.ts';
import { tenantsOf } from '../../policy/tenants-of.ts';
import { askIn, checkBind } from '../bind-apis.ts';
import type { WebContext } from '../context.ts';
import { route } from '../route.ts';

/** Enrolment tokens for machines, and their exchange by konnectors. Those for persons come with the ways they log in. */
export function enrolmentRoutes(app: FastifyInstance, context: WebContext): void {
  route(
    app,
    context,
    bundleForMachine,
    async ({ caller, body }) => {
      const tenants = tenantsOf(caller, context.options.policy);
      const checked = await checkBind(context, { caller, tenants, ...askIn(body) });
      return await issueToken(context, checked, body);
    },
    { report: (result) => context.metrics.bound('machine', result) },
  );

  route(
    app,
    context,
    exchangeEnrolment,
    async ({ body: { token, clusterUID, key }, request }) => {
      const ticket = await openToken(context, token);
      await context.limits.countSubject(request, `enrolment ${ticket.id}`);
      const { namespace, kubeconfig } = await exchangeToken(context, ticket, { uid: clusterUID, key });
      return { namespace, kubeconfig: Buffer.from(kubeconfig).toString('base64') };
    },
    { report: (result) => context.metrics.bound('enrolment', result) },
  );
}
