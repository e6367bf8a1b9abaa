import {
  annotations,
  APIServiceExportRequests,
  APIServiceExports,
  APIServiceExportTemplates,
  APIServiceNamespaces,
  ClusterBindings,
  ConditionType,
  controlPlane as names,
  isConditionTrue,
  sourceSpecHash,
  templateGroup,
} from '@klutch/api';
import { connect, createSharedInformers, Namespaces, parseKubeconfig, systemClock } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { createOwnRights } from '../../packages/backend/src/grants/own-rights.ts';
import { Roles } from '../../packages/backend/src/objects/rbac.ts';
import { createTenants } from '../../packages/backend/src/tenants/create-tenants.ts';
import { launch } from '../backend/process-world.ts';
import { person, team } from '../backend/tenants-world.ts';
import { installCrd, unique } from '../konnector/world.ts';
import type { OpenAnsweringSide } from './answering-side.ts';

/**
 * A backend of ours, with no more rights than it needs. It answers everybody on the control plane: use it on one where
 * nobody else does. It ends with the test.
 */
export const openOurBackend: OpenAnsweringSide = async ({ cluster, api }) => {
  const { admin } = cluster;
  await installCrd(admin, api.crd);
  await admin.resource(APIServiceExportTemplates).create({
    apiVersion: `${templateGroup}/v1alpha1`,
    kind: 'APIServiceExportTemplate',
    metadata: { name: api.group, namespace: 'default' },
    spec: {
      APIServiceSelector: { group: api.type.group, resource: api.type.plural },
      permissionClaims: [...api.claims],
    },
  });
  const { options } = await launch(cluster, { offers: [{ api, claims: api.claims }] });
  const client = connect(options.cluster, { userAgent: 'klutch-backend/test' });
  const stop = new AbortController();
  const informers = createSharedInformers(client, stop.signal);
  const rights = createOwnRights({ client, clock: systemClock, ...options });
  const tenants = createTenants({
    client,
    informers,
    options,
    rights,
    catalogue: { all: () => [] },
    clock: systemClock,
  });
  // Rights are effective a moment after they were written.
  const { namespace, kubeconfig } = await soon(() =>
    tenants.provision({ id: unique('app') }, team('team-a'), person('ada')),
  );
  const config = parseKubeconfig(kubeconfig, { source: 'our backend', trust: 'foreign' });
  const binder = connect(config, { userAgent: 'klutch-test/1' });
  const exported = { namespace, name: api.name };

  /** Until the export says what the CRD says, and the rights to it are there. */
  async function published(hash: string): Promise<void> {
    await soon(async () => {
      const { metadata, status } = await admin.resource(APIServiceExports).get(exported);
      const isCurrent = metadata.annotations?.[annotations.sourceSpecHash] === hash;
      return isCurrent && isConditionTrue(status?.conditions, ConditionType.ProviderInSync);
    });
    // In those service namespaces that there are.
    const { items } = await admin.resource(APIServiceNamespaces).list({ namespace });
    for (const service of items.flatMap(({ status }) => status?.namespace ?? [])) {
      await soon(async () => {
        const { rules = [] } = await admin.resource(Roles).get({ namespace: service, name: names.binder });
        return rules.some(({ apiGroups }) => apiGroups.includes(api.type.group));
      });
    }
  }

  return {
    clusterNamespace: namespace,
    uid: (await admin.resource(Namespaces).get({ name: namespace })).metadata.uid ?? '',
    kubeconfig,
    binder,
    answerRequest: async () => {
      await soon(async () => {
        const request = await admin.resource(APIServiceExportRequests).get(exported);
        return request.status?.phase === 'Succeeded';
      });
      await published(sourceSpecHash(api.exported));
    },
    answerHeartbeat: async () => {
      const ref = { namespace, name: names.clusterBinding };
      await soon(async () => {
        const { status } = await admin.resource(ClusterBindings).get(ref);
        return isConditionTrue(status?.conditions, ConditionType.Healthy);
      });
    },
    serviceNamespace: (name) =>
      soon(async () => (await admin.resource(APIServiceNamespaces).find({ namespace, name }))?.status?.namespace),
    extendSchema: async () => {
      await installCrd(admin, api.extended.crd);
      await published(sourceSpecHash(api.extended.exported));
    },
    close: async () => {
      stop.abort();
      await informers.stopped;
      await Promise.all([binder.close(), client.close()]);
    },
  };
};

async function soon<T>(look: () => T | false | undefined | Promise<T | false | undefined>): Promise<T> {
  return await eventually(look, { withinMs: 60_000, everyMs: 50 });
}
