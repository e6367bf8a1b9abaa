import {
  annotations,
  APIServiceBindings,
  APIServiceExports,
  bindingOwnerReference,
  CustomResourceDefinitions,
  exportedApi,
  findCondition,
  isConditionTrue,
} from '@klutch/api';
import { type Interceptor, KubeError } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { isBound, isUnbound, schemaWorld } from './schema-world.ts';
import { type AppSide, installCrd, onBothTiers, type SampleApi, sampleApi, stayQuiet } from './world.ts';

// Deadlines of single waits are to speak first, also on a machine that is busy with other files.
vi.setConfig({ testTimeout: 120_000 });

onBothTiers('the CRDs of bound APIs', (clusters) => {
  const { open, start, definitions, crdOf } = schemaWorld(clusters);

  it('KON-08 creates a CRD equal to the export, with an owner marker for the binding', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);

    const binding = await side.bind(api, { annotations: { [annotations.onUnbind]: 'Remove' } });
    await side.condition(api, 'Connected', 'True');
    await side.condition(api, 'SchemaInSync', 'True');

    const crd = await crdOf(api);
    expect(exportedApi(crd)).toEqual(
      exportedApi(await clusters().controlPlane.admin.resource(CustomResourceDefinitions).get({ name: api.name })),
    );
    expect(crd.metadata.ownerReferences).toEqual([bindingOwnerReference(binding)]);
    expect(crd.metadata.annotations).toMatchObject({
      [annotations.onUnbind]: 'Remove',
      [annotations.tenant]: `${tenant.clusterNamespace}/${tenant.uid}`,
      [annotations.boundIn]: `${side.cluster.id}/${side.bindingNamespace}`,
    });
    await isBound(schema, api);
    expect(schema.apis().get(api.name)).toMatchObject({
      binding: { name: api.name, namespace: side.bindingNamespace, uid: binding.metadata.uid },
      appType: api.type,
      controlPlaneType: api.type,
      isolation: 'ServiceNamespace',
      informerScope: 'Namespaced',
      statusSubresource: true,
      statusConditions: true,
      orphans: 'Hold',
    });
  });

  it('KON-09 leaves a CRD alone that was not made for the binding', async () => {
    const api = sampleApi();
    const { tenant, side } = await open([api]);
    await installCrd(side.cluster.admin, api.crd);
    const before = await crdOf(api);
    await tenant.publish(api);

    await side.bind(api);
    await side.condition(api, 'Connected', 'False', 'ForeignCustomResourceDefinition');

    expect((await crdOf(api)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('KON-10 does not offer the objects of a foreign CRD for synchronisation', async () => {
    const [foreign, own] = [sampleApi(), sampleApi()];
    const { tenant, side, schema } = await open([foreign, own]);
    await installCrd(side.cluster.admin, foreign.crd);
    await tenant.publish(foreign);
    await tenant.publish(own);

    await side.bind(foreign);
    await side.bind(own);
    await isBound(schema, own);
    await side.condition(foreign, 'Connected', 'False', 'ForeignCustomResourceDefinition');

    expect(schema.apis().has(foreign.name)).toBe(false);
  });

  it('takes over a foreign CRD that is handed to the tenant', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await installCrd(side.cluster.admin, api.crd);
    await tenant.publish(api);
    const binding = await side.bind(api);
    await side.condition(api, 'Connected', 'False', 'ForeignCustomResourceDefinition');

    const mark = { [annotations.released]: `${tenant.clusterNamespace}/${tenant.uid}` };
    await definitions().patch({ name: api.name }, { type: 'merge', patch: { metadata: { annotations: mark } } });
    await isBound(schema, api);

    const { metadata } = await crdOf(api);
    expect(metadata.ownerReferences).toEqual([bindingOwnerReference(binding)]);
    expect(metadata.annotations).not.toHaveProperty([annotations.released]);
  });

  it('KON-14 says that the export is missing, and heals when it appears', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);

    await side.bind(api);
    await side.condition(api, 'Connected', 'False', 'APIServiceExportNotFound');
    expect(await definitions().find({ name: api.name })).toBeUndefined();

    await tenant.publish(api);
    await side.condition(api, 'Connected', 'True');
    await isBound(schema, api);
  });

  it('says which right on the CRD is missing when the konnector was never granted it', async () => {
    const api = sampleApi();
    const { tenant, side, end } = await open([]);
    await tenant.publish(api);

    await side.bind(api);
    await saysForbidden(side, api, 'Connected', 'get');

    await end();
    const { schema } = await start(tenant, side, [api]);
    await side.condition(api, 'Connected', 'True');
    await isBound(schema, api);
  });

  it.each([
    ['list', 'Connected'],
    ['watch', 'SchemaInSync'],
  ] as const)('says that the right to %s CRDs is missing, and goes on when it is granted', async (verb, condition) => {
    const api = sampleApi();
    const rights = { isMissing: true };
    const { tenant, side, schema } = await open([api], [withoutRight(verb, rights)]);
    await tenant.publish(api);

    await side.bind(api);
    await saysForbidden(side, api, condition, verb);

    rights.isMissing = false;
    await side.condition(api, 'SchemaInSync', 'True');
    await isBound(schema, api);
  });

  it('KON-15 shows on binding and export that the schema is in sync, and then writes nothing', async () => {
    const [api, unused] = [sampleApi(), sampleApi()];
    const { tenant, side, schema, writes } = await open([api, unused]);
    await tenant.publish(api);
    await tenant.publish(unused);
    await side.bind(api);
    await isBound(schema, api);

    const exports = clusters().controlPlane.admin.resource(APIServiceExports);
    const exported = await eventually(
      async () => {
        const found = await exports.get({ namespace: tenant.clusterNamespace, name: api.name });
        return isConditionTrue(found.status?.conditions, 'Ready') && found;
      },
      { withinMs: 30_000, everyMs: 20 },
    );
    const { conditions, acceptedNames, storedVersions } = exported.status ?? {};
    for (const type of ['Connected', 'ConsumerInSync', 'Established', 'NamesAccepted']) {
      expect(isConditionTrue(conditions, type), type).toBe(true);
    }
    expect(acceptedNames).toMatchObject({ kind: 'Widget', plural: 'widgets' });
    expect(storedVersions).toEqual(['v1']);
    await side.condition(api, 'SchemaInSync', 'True');
    await eventually(
      async () => {
        const found = await exports.get({ namespace: tenant.clusterNamespace, name: unused.name });
        return findCondition(found.status?.conditions, 'Connected')?.reason === 'APIServiceBindingNotFound';
      },
      { withinMs: 30_000 },
    );

    const count = writes.length;
    await stayQuiet(1_000);
    expect(writes.slice(count)).toEqual([]);
  });

  it('KON-58 no longer offers an API whose binding is deleted', async () => {
    const [api, other] = [sampleApi(), sampleApi()];
    const { tenant, side, schema } = await open([api, other]);
    await tenant.publish(api);
    await tenant.publish(other);
    await side.bind(api);
    await side.bind(other);
    await isBound(schema, api);
    await isBound(schema, other);

    await side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });
    await isUnbound(schema, api);

    expect(schema.apis().has(other.name)).toBe(true);
    expect(await definitions().find({ name: api.name })).toBeDefined();
  });

  it('KON-59 takes over the CRD of an earlier binding of the same name', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);
    const { uid } = (await crdOf(api)).metadata;

    await side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });
    await isUnbound(schema, api);
    const binding = await side.bind(api);
    await isBound(schema, api);

    const { metadata } = await crdOf(api);
    expect(metadata.uid).toBe(uid);
    expect(metadata.ownerReferences).toEqual([bindingOwnerReference(binding)]);
    await side.condition(api, 'Connected', 'True');
  });

  it('KON-60 keeps offering an API whose export disappears, so that objects can be deleted', async () => {
    const api = sampleApi({ scope: 'Cluster' });
    const { tenant, side, schema, end } = await open([api]);
    await tenant.publish(api, { isolation: 'None' });
    await side.bind(api);
    await isBound(schema, api);
    const before = schema.apis().get(api.name);
    expect(before?.isolation).toBe('None');

    await tenant.withdraw(api);
    await side.condition(api, 'Connected', 'False', 'APIServiceExportNotFound');
    expect(schema.apis().get(api.name)).toEqual(before);

    await end();
    const restarted = await start(tenant, side, [api]);
    await isBound(restarted.schema, api);
    expect(restarted.schema.apis().get(api.name)).toEqual(before);
  });

  it('takes a CRD of the Go konnector into its care without changing its API', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    const binding = await side.bind(api);
    await side.condition(api, 'Connected', 'False', 'APIServiceExportNotFound');
    const made = { ...api.crd, metadata: { ...api.crd.metadata, ownerReferences: [bindingOwnerReference(binding)] } };
    await definitions().create(made);

    await tenant.publish(api);
    await side.condition(api, 'Connected', 'True');
    await isBound(schema, api);

    const crd = await crdOf(api);
    expect(crd.metadata.generation).toBe(1);
    expect(crd.metadata.annotations).toHaveProperty([annotations.tenant]);
  });
});

async function saysForbidden(side: AppSide, api: SampleApi, type: string, verb: string): Promise<void> {
  await side.condition(api, type, 'False', 'CustomResourceDefinitionForbidden');
  const { message } = findCondition((await side.binding(api)).status?.conditions, type) ?? {};
  expect(message).toContain(`may not ${verb} CustomResourceDefinition ${api.name}`);
  expect(message).toContain(`Give its ClusterRole the verb "${verb}" on customresourcedefinitions`);
}

/** Answers as a server does to somebody who lacks a right on CRDs. */
function withoutRight(verb: string, rights: { readonly isMissing: boolean }): Interceptor {
  return (next) => async (request) => {
    const { resource, verb: asked, object } = request.about;
    if (!rights.isMissing || asked !== verb || !resource.includes('customresourcedefinitions')) return next(request);
    throw new KubeError('KUBE_FORBIDDEN', `Cannot ${verb} ${object}: forbidden`, { status: 403, verb, object });
  };
}
