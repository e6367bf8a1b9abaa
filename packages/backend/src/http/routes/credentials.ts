import { apiName } from '@klutch/api';
import { finishRotation, listOffers, releaseCluster, rotateCredential, withdrawApis } from '@klutch/api/contract';
import type { FastifyInstance } from 'fastify';
import { type AuditAction, type AuditRecord, tenantAccount } from '../../audit/audit.ts';
import type { Offer } from '../../templates/catalogue.ts';
import { audited } from '../audited.ts';
import { requestedApi } from '../bind-apis.ts';
import type { WebContext } from '../context.ts';
import { route } from '../route.ts';

/** What an app cluster does with its own credential: rotate it, withdraw APIs, end its registration, look at the catalogue. */
export function credentialRoutes(app: FastifyInstance, context: WebContext): void {
  const { tenants, catalogue, audit } = context;

  route(app, context, rotateCredential, async ({ caller }) => {
    const entry = await entryFor('Rotate', caller.namespace);
    const { namespace, kubeconfig } = await audited(audit, entry, () => tenants.rotate(caller.namespace));
    return { namespace, kubeconfig: Buffer.from(kubeconfig).toString('base64') };
  });

  route(app, context, finishRotation, async ({ caller }) => {
    const entry = { ...(await entryFor('Rotate', caller.namespace)), what: ['all other credentials'] };
    await audited(audit, entry, () => tenants.retireOthers(caller.namespace, caller.token));
    return undefined;
  });

  route(app, context, withdrawApis, async ({ caller, body }) => {
    const apis = body.apis.map(requestedApi);
    const entry = { ...(await entryFor('Unbind', caller.namespace)), what: apis.map(apiName) };
    await audited(audit, entry, () => tenants.withdraw(caller.namespace, apis));
    return undefined;
  });

  route(app, context, releaseCluster, async ({ caller }) => {
    // Without it data of the app cluster could be overlooked.
    context.requireCatalogue();
    const entry = { ...(await entryFor('Unbind', caller.namespace)), what: ['all APIs', 'registration'] };
    await audited(audit, entry, () => tenants.release(caller.namespace));
    return undefined;
  });

  route(app, context, listOffers, async ({ caller }) => {
    context.requireCatalogue();
    const name = await tenants.tenantNameOf(caller.namespace);
    return { apis: catalogue.offersTo(name === undefined ? undefined : { name }).map(summary) };
  });

  async function entryFor(action: AuditAction, clusterNamespace: string): Promise<Omit<AuditRecord, 'result'>> {
    const tenant = await tenants.tenantNameOf(clusterNamespace);
    return { action, who: tenantAccount(clusterNamespace), tenant, clusterNamespace };
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
