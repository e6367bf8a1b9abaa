import { apiName } from '@klutch/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AuditAction, type AuditRecord, tenantAccount } from '../../audit/audit.ts';
import type { Offer } from '../../templates/catalogue.ts';
import { audited } from '../audited.ts';
import { parseApis } from '../bodies.ts';
import type { WebContext } from '../context.ts';
import { bearerOf } from '../requests.ts';

/** What an app cluster does with its own credential: rotate it, withdraw APIs, look at the catalogue. */
export function credentialRoutes(app: FastifyInstance, context: WebContext): void {
  const { tenants, catalogue, audit } = context;
  const answers = { config: { answers: 'json' as const } };

  app.post('/rotate', answers, async (request) => {
    const own = await authenticate(request);
    const entry = await entryFor('Rotate', own);
    const { namespace, kubeconfig } = await audited(audit, entry, () => tenants.rotate(own));
    return { namespace, kubeconfig: Buffer.from(kubeconfig).toString('base64') };
  });

  app.post('/rotate/finish', answers, async (request, reply) => {
    const own = await authenticate(request);
    const entry = { ...(await entryFor('Rotate', own)), what: ['all other credentials'] };
    await audited(audit, entry, () => tenants.retireOthers(own, bearerOf(request)));
    return await reply.code(204).send();
  });

  app.post('/unbind', answers, async (request, reply) => {
    const namespace = await authenticate(request);
    const apis = parseApis(request.body);
    const entry = { ...(await entryFor('Unbind', namespace)), what: apis.map(apiName) };
    await audited(audit, entry, () => tenants.withdraw(namespace, apis));
    return await reply.code(204).send();
  });

  app.get('/catalogue', answers, async (request) => {
    const namespace = await authenticate(request);
    context.requireCatalogue();
    const name = await tenants.tenantNameOf(namespace);
    return { apis: catalogue.offersTo(name === undefined ? undefined : { name }).map(summary) };
  });

  async function entryFor(action: AuditAction, clusterNamespace: string): Promise<Omit<AuditRecord, 'result'>> {
    const tenant = await tenants.tenantNameOf(clusterNamespace);
    return { action, who: tenantAccount(clusterNamespace), tenant, clusterNamespace };
  }

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
