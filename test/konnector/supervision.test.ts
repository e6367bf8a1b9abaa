import { type AcceptablePermissionClaim, APIServiceBindings, CustomResourceDefinitions, finalizers } from '@klutch/api';
import { Secrets } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect, it } from 'vitest';
import { runKonnector } from './run-konnector.ts';
import { createTenant, installCrd, onBothTiers, openAppSide, sampleApi, widget } from './world.ts';

const soon = { withinMs: 25_000, everyMs: 20 };
const secrets = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } } as const;
const may = { resource: 'secrets', owner: 'Provider' } as const;

onBothTiers('what runs on a link', (clusters) => {
  /** An API with a claim on Secrets, bound with the given decision about it. */
  async function boundWith(decision: Pick<AcceptablePermissionClaim, 'state' | 'required'>) {
    const { app, controlPlane } = clusters();
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    await tenant.publish(api, { claims: [secrets] });
    const side = await openAppSide(app);
    await side.storeKubeconfig(await tenant.offered());
    await side.bind(api, { claims: [{ ...secrets, ...decision }] });
    const konnector = await runKonnector(side, { apis: [api], claims: [may] });
    const namespace = (await side.namespace()).metadata.name;
    const decide = (change: Pick<AcceptablePermissionClaim, 'state' | 'required'>) =>
      side.cluster.admin
        .resource(APIServiceBindings)
        .patch(
          { namespace: side.bindingNamespace, name: api.name },
          { type: 'merge', patch: { spec: { permissionClaims: [{ ...secrets, ...change }] } } },
        );
    const create = (name: string) =>
      side.cluster.admin.resource(api.type).create(widget(api, name, namespace, { size: 1 }));
    const copy = async (name: string) =>
      controlPlane.admin.resource(api.type).find({ namespace: await tenant.serviceNamespace(namespace), name });
    return { api, tenant, side, konnector, namespace, decide, create, copy, controlPlane };
  }

  it('KON-45 does not go on with a binding whose required claim was rejected, until it is accepted', async () => {
    const { api, tenant, side, konnector, namespace, decide, create, copy } = await boundWith({
      state: 'Rejected',
      required: true,
    });
    await side.condition(api, 'ClaimsSynced', 'False', 'RequiredClaimRejected');
    await side.condition(api, 'Ready', 'False', 'RequiredClaimRejected');
    await side.condition(api, 'SchemaInSync', 'True');
    await create('w');
    const original = await side.cluster.admin.resource(api.type).get({ namespace, name: 'w' });
    expect(original.metadata.finalizers).toBeUndefined();

    await decide({ state: 'Accepted', required: true });

    await eventually(() => copy('w'), soon);
    await side.condition(api, 'Ready', 'True');
    await konnector.stop();
    await tenant.close();
  });

  it('KON-46 begins and ends with a claim when the decision about it changes', async () => {
    const { api, tenant, side, konnector, namespace, decide, create, copy, controlPlane } = await boundWith({
      state: 'Rejected',
    });
    await side.condition(api, 'Ready', 'True');
    await create('w');
    await eventually(() => copy('w'), soon);
    const service = await tenant.serviceNamespace(namespace);
    await controlPlane.admin.resource(Secrets).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'creds', namespace: service },
      data: { password: Buffer.from('x').toString('base64') },
    });
    const delivered = () => side.cluster.admin.resource(Secrets).find({ namespace, name: 'creds' });
    expect(await delivered()).toBeUndefined();

    await decide({ state: 'Accepted' });
    await eventually(delivered, soon);
    await decide({ state: 'Rejected' });
    await eventually(async () => (await delivered()) === undefined, soon);

    await create('after');
    await eventually(() => copy('after'), soon);
    await konnector.stop();
    await tenant.close();
  });

  it('KON-58 KON-59 stops with a binding, lets its objects go, and begins again when it is bound again', async () => {
    const { api, tenant, side, konnector, namespace, create, copy } = await boundWith({ state: 'Accepted' });
    const widgets = side.cluster.admin.resource(api.type);
    await side.condition(api, 'Ready', 'True');
    await create('w');
    await eventually(() => copy('w'), soon);

    await side.cluster.admin.resource(APIServiceBindings).delete({ namespace: side.bindingNamespace, name: api.name });
    await eventually(
      async () => !(await widgets.get({ namespace, name: 'w' })).metadata.finalizers?.includes(finalizers.syncer),
      soon,
    );
    expect(await copy('w')).toBeDefined();

    await side.bind(api, { claims: [{ ...secrets, state: 'Accepted' }] });
    await side.condition(api, 'Ready', 'True');
    await create('again');
    await eventually(() => copy('again'), soon);
    await konnector.stop();
    await tenant.close();
  }, 60_000);

  it('KON-10 KON-09 touches nothing of an API whose CRD belongs to somebody else', async () => {
    const { app, controlPlane } = clusters();
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    await tenant.publish(api);
    const side = await openAppSide(app);
    await installCrd(app.admin, api.crd);
    const namespace = (await side.namespace()).metadata.name;
    const created = await app.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 1 }));
    await side.storeKubeconfig(await tenant.offered());
    await side.bind(api);
    const crd = await app.admin.resource(CustomResourceDefinitions).get({ name: api.name });
    const konnector = await runKonnector(side, { apis: [api] });

    await side.condition(api, 'Connected', 'False', 'ForeignCustomResourceDefinition');
    await side.condition(api, 'InformersSynced', 'True');

    const after = await app.admin.resource(api.type).get({ namespace, name: 'w' });
    expect(after.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
    expect((await app.admin.resource(CustomResourceDefinitions).get({ name: api.name })).spec).toEqual(crd.spec);
    await konnector.stop();
    expect(konnector.writes.filter(({ path }) => path.startsWith(`/apis/${api.type.group}/`))).toEqual([]);
    await tenant.close();
  });
});
