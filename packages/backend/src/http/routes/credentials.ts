import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Offer } from '../../templates/catalogue.ts';
import { parseApis } from '../bodies.ts';
import type { WebContext } from '../context.ts';
import { bearerOf } from '../requests.ts';

/** What an app cluster does with its own credential: rotate it, withdraw APIs, look at the catalogue. */
export function credentialRoutes(app: FastifyInstance, context: WebContext): void {
  const { tenants, catalogue } = context;
  const answers = { config: { answers: 'json' as const } };

  app.post('/rotate', answers, async (request) => {
    const { namespace, kubeconfig } = await tenants.rotate(await authenticate(request));
    return { namespace, kubeconfig: Buffer.from(kubeconfig).toString('base64') };
  });

  app.post('/rotate/finish', answers, async (request, reply) => {
    await tenants.retireOthers(await authenticate(request), bearerOf(request));
    return await reply.code(204).send();
  });

  app.post('/unbind', answers, async (request, reply) => {
    const namespace = await authenticate(request);
    await tenants.withdraw(namespace, parseApis(request.body));
    return await reply.code(204).send();
  });

  app.get('/catalogue', answers, async (request) => {
    const namespace = await authenticate(request);
    context.requireCatalogue();
    const name = await tenants.tenantNameOf(namespace);
    return { apis: catalogue.offersTo(name === undefined ? undefined : { name }).map(summary) };
  });

  async function authenticate(request: FastifyRequest): Promise<string> {
    const namespace = await tenants.namespaceOf(bearerOf(request));
    await context.limits.countSubject(request, `namespace ${namespace}`);
    return namespace;
  }
}

/** An offer as programs see it. */
function summary({ name, group, resource, crd, description, permissionClaims }: Offer) {
  const { names, scope, versions } = crd.spec;
  return {
    name,
    group,
    resource,
    kind: names.kind,
    scope,
    versions: versions.filter(({ served }) => served).map((version) => version.name),
    ...(description !== undefined && { description }),
    permissionClaims,
  };
}
