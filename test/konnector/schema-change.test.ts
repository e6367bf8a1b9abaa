import {
  annotations,
  type APIServiceBinding,
  APIServiceBindings,
  APIServiceExports,
  type CustomResourceDefinition,
  exportedApi,
  findCondition,
} from '@klutch/api';
import { createFaults, eventually } from '@klutch/kube/testing';
import { expect, it, vi } from 'vitest';
import { isBound, schemaWorld } from './schema-world.ts';
import { type AppSide, onBothTiers, type SampleApi, sampleApi, widget } from './world.ts';

// Deadlines of single waits are to speak first, also on a machine that is busy with other files.
vi.setConfig({ testTimeout: 120_000 });

onBothTiers('changes of bound APIs', (clusters) => {
  const { open, start, definitions, crdOf } = schemaWorld(clusters);

  it('KON-11 follows a schema change while objects go on being served', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);
    const seen: boolean[] = [];
    schema.subscribe(() => seen.push(schema.apis().has(api.name)));

    await tenant.publish(sampleApi({ group: api.type.group, properties: { colour: { type: 'string' } } }));
    await eventually(async () => JSON.stringify((await crdOf(api)).spec).includes('colour'), { withinMs: 30_000 });
    await side.condition(api, 'SchemaCompatible', 'True');
    await side.condition(api, 'SchemaInSync', 'True');

    const { name: namespace } = (await side.namespace()).metadata;
    const client = side.cluster.admin.resource(api.type);
    const stored = await eventually(
      async () => {
        const created = await client.create(
          { ...widget(api, 'w', namespace, { size: 1, colour: 'red' }) },
          { dryRun: true },
        );
        return JSON.stringify(created).includes('red') && created;
      },
      { withinMs: 30_000, everyMs: 100 },
    );
    expect(stored['spec']).toEqual({ size: 1, colour: 'red' });
    expect(seen).not.toContain(false);
  });

  it('KON-11 holds back a breaking schema change until it is accepted', async () => {
    const api = sampleApi({ properties: { colour: { type: 'string' } } });
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);

    await tenant.publish(sampleApi({ group: api.type.group }));
    await side.condition(api, 'SchemaInSync', 'False', 'BreakingSchemaChange');
    await side.condition(api, 'SchemaCompatible', 'False', 'BreakingSchemaChange');

    const held = findCondition((await side.binding(api)).status?.conditions, 'SchemaCompatible');
    expect(held?.message).toContain('v1 .spec.colour is removed');
    expect(JSON.stringify((await crdOf(api)).spec)).toContain('colour');
    expect(schema.apis().has(api.name)).toBe(true);

    const digest = /accept-schema: (\w+)/.exec(held?.message ?? '')?.[1] ?? '';
    await annotate(side, api, { [annotations.acceptSchema]: digest });
    await side.condition(api, 'SchemaInSync', 'True');
    await side.condition(api, 'SchemaCompatible', 'True', 'SchemaChangeNeedsCare');
    expect(JSON.stringify((await crdOf(api)).spec)).not.toContain('colour');
  });

  it('KON-12 restores a CRD that a user edits, whatever the edit', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);
    const before = await crdOf(api);

    for (const change of [addProperty, dropProperty]) {
      await eventually(async () => {
        const present = await crdOf(api);
        await definitions().replace({ ...present, spec: change(present.spec) });
        return true;
      });
      await eventually(
        async () => {
          expect((await crdOf(api)).spec).toEqual(before.spec);
          return true;
        },
        { withinMs: 30_000, everyMs: 20 },
      );
    }
    await side.condition(api, 'SchemaInSync', 'True');
  });

  it('KON-12 restores a CRD that a user edits while a change is held back, also when nobody looked', async () => {
    const api = sampleApi({ properties: { colour: { type: 'string' } } });
    const { tenant, side, schema, end } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);
    const before = await crdOf(api);
    const held = sampleApi({ group: api.type.group });
    await tenant.publish(held);
    await side.condition(api, 'SchemaInSync', 'False', 'BreakingSchemaChange');
    const edit = (change: (spec: Spec) => Spec) =>
      eventually(
        async () => {
          const present = await crdOf(api);
          await definitions().replace({ ...present, spec: change(present.spec) });
          return true;
        },
        { withinMs: 30_000, everyMs: 20 },
      );
    const isRestored = () =>
      eventually(
        async () => {
          expect((await crdOf(api)).spec).toEqual(before.spec);
          return true;
        },
        { withinMs: 30_000, everyMs: 20 },
      );

    for (const change of [addProperty, dropProperty, (): Spec => ({ ...before.spec, ...held.crd.spec })]) {
      await edit(change);
      await isRestored();
    }
    await end();
    await edit(dropProperty);
    await start(tenant, side, [api]);
    await isRestored();
    await side.condition(api, 'SchemaInSync', 'False', 'BreakingSchemaChange');

    const said = findCondition((await side.binding(api)).status?.conditions, 'SchemaCompatible');
    const digest = /accept-schema: (\w+)/.exec(said?.message ?? '')?.[1] ?? '';
    await annotate(side, api, { [annotations.acceptSchema]: digest });
    await side.condition(api, 'SchemaInSync', 'True');
    const { metadata, spec } = await crdOf(api);
    expect(JSON.stringify(spec)).not.toContain('colour');
    expect(metadata.annotations).not.toHaveProperty([annotations.keptSchema]);
  });

  it('KON-12 restores a CRD that a user deletes', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);
    const before = await crdOf(api);

    await definitions().delete({ name: api.name });
    const after = await eventually(
      async () => {
        const found = await definitions().find({ name: api.name });
        return found?.metadata.uid !== before.metadata.uid && found;
      },
      { withinMs: 30_000, everyMs: 20 },
    );

    expect(exportedApi(after)).toEqual(exportedApi(before));
    await isBound(schema, api);
    await side.condition(api, 'SchemaInSync', 'True');
  });

  it('KON-12 keeps offering an API while its CRD waits for its last objects to go', async () => {
    const api = sampleApi();
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);
    const { name: namespace } = (await side.namespace()).metadata;
    const client = side.cluster.admin.resource(api.type);
    const object = widget(api, 'w', namespace, { size: 1 });
    await eventually(
      () => client.create({ ...object, metadata: { ...object.metadata, finalizers: ['example.org/wait'] } }),
      { withinMs: 30_000, everyMs: 100 },
    );

    await definitions().delete({ name: api.name });
    await side.condition(api, 'SchemaInSync', 'False', 'CustomResourceDefinitionNotEstablished');
    expect(schema.apis().has(api.name)).toBe(true);

    await client.patch({ name: 'w', namespace }, { type: 'merge', patch: { metadata: { finalizers: null } } });
    await side.condition(api, 'SchemaInSync', 'True');
    await isBound(schema, api);
  });

  it('KON-13 retries a CRD update that hits conflicts and failures until it succeeds', async () => {
    const faults = createFaults();
    const api = sampleApi();
    const { tenant, side, schema } = await open([api], [faults.interceptor]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);

    const isUpdate = ({ method, path }: { method: string; path: string }) =>
      method === 'PUT' && path.includes(api.name);
    const conflicts = faults.add({ when: isUpdate, fault: { type: 'status', status: 409 }, times: 3 });
    const failures = faults.add({ when: isUpdate, fault: { type: 'drop' }, times: 3 });
    await tenant.publish(sampleApi({ group: api.type.group, properties: { colour: { type: 'string' } } }));
    await eventually(async () => JSON.stringify((await crdOf(api)).spec).includes('colour'), { withinMs: 30_000 });

    expect([conflicts.hits, failures.hits]).toEqual([3, 3]);
    await side.condition(api, 'SchemaInSync', 'True');
  });

  it('KON-16 chooses the first version in the order of the export that both sides serve', async () => {
    const api = sampleApi({ versions: ['v2', 'v1'] });
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);

    await side.bind(api);
    await isBound(schema, api);

    expect(schema.apis().get(api.name)?.appType.version).toBe('v2');
    expect((await crdOf(api)).spec.versions.map(({ name }) => name)).toEqual(['v2', 'v1']);
  });

  it('KON-16 goes on in the old version while the removal of a stored one is held back', async () => {
    const api = sampleApi({ versions: ['v1', 'v2'] });
    const { tenant, side, schema } = await open([api]);
    await tenant.publish(api);
    await side.bind(api);
    await isBound(schema, api);

    const exports = clusters().controlPlane.admin.resource(APIServiceExports);
    const later = sampleApi({ versions: ['v2'], group: api.type.group });
    await exports.patch(
      { namespace: tenant.clusterNamespace, name: api.name },
      { type: 'merge', patch: { spec: { versions: later.exported.versions } } },
    );
    await side.condition(api, 'SchemaCompatible', 'False', 'BreakingSchemaChange');

    expect((await crdOf(api)).spec.versions.map(({ name }) => name)).toEqual(['v1', 'v2']);
    await eventually(() => schema.apis().get(api.name)?.appType.version === 'v2', { withinMs: 30_000 });
  });
});

async function annotate(
  side: AppSide,
  api: SampleApi,
  marks: Readonly<Record<string, string>>,
): Promise<APIServiceBinding> {
  return side.cluster.admin
    .resource(APIServiceBindings)
    .patch(
      { namespace: side.bindingNamespace, name: api.name },
      { type: 'merge', patch: { metadata: { annotations: marks } } },
    );
}

type Spec = CustomResourceDefinition['spec'];

function addProperty(spec: Spec): Spec {
  return withProperties(spec, (properties) => ({ ...properties, added: { type: 'string' } }));
}

function dropProperty(spec: Spec): Spec {
  return withProperties(spec, ({ plan: _plan, ...rest }) => rest);
}

function withProperties(spec: Spec, change: (properties: Record<string, unknown>) => object): Spec {
  const copy = structuredClone(spec) as unknown as {
    versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } } }[];
  };
  for (const { schema } of copy.versions) {
    const holder = schema.openAPIV3Schema.properties.spec;
    holder.properties = change(holder.properties) as Record<string, unknown>;
  }
  return copy as unknown as Spec;
}
