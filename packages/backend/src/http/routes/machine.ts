import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actors } from '../../audit/audit.ts';
import { callerId } from '../../policy/caller.ts';
import { machineOf } from '../../policy/machine.ts';
import { requireMayBind } from '../../policy/may-bind.ts';
import { textOf } from '../../policy/person.ts';
import { tenantsOf } from '../../policy/tenants-of.ts';
import { audited } from '../audited.ts';
import { checkBind, grantBind } from '../bind-apis.ts';
import { parseBindRequest } from '../bodies.ts';
import type { WebContext } from '../context.ts';
import { counted } from '../counted.ts';
import { bearerOf } from '../requests.ts';

/** `/bind-noninteractive` binds for machines that present an access token of the identity provider. */
export function machineRoutes(app: FastifyInstance, context: WebContext): void {
  app.post(
    '/bind-noninteractive',
    { config: { answers: 'json' } },
    async (request, reply) =>
      await counted(
        (result) => context.metrics.bound('machine', result),
        async () => reply.send(await bindMachine(context, request)),
      ),
  );
}

async function bindMachine(context: WebContext, request: FastifyRequest) {
  const { policy } = context.options;
  const claims = await context.issuer.verifyAccessToken(bearerOf(request));
  const caller = await audited(
    context.audit,
    { action: 'Login', who: `${claims.iss}/${textOf(claims['sub']) ?? actors.unknown}` },
    async () => {
      const machine = machineOf(claims, policy.machines);
      requireMayBind(machine, policy);
      return machine;
    },
  );
  await context.limits.countSubject(request, callerId(caller));
  const { cluster, apis, tenant, sid } = parseBindRequest(request.body);
  const checked = await checkBind(context, { caller, tenants: tenantsOf(caller, policy), cluster, apis, tenant });
  return await grantBind(context, checked, sid);
}
