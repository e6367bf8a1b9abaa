import {
  apiServiceBindingCrd,
  APIServiceBindings,
  appCluster as names,
  ClusterScopedAPIServiceBindings,
  CustomResourceDefinitions,
  isConditionTrue,
} from '@klutch/api';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Namespaces } from '@klutch/kube';
import { expect, it, onTestFinished } from 'vitest';
import { packageVersion } from '../../packages/cli/src/package-version.ts';
import { runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { patiently } from '../backend/process-world.ts';
import { runKonnector } from '../konnector/run-konnector.ts';
import {
  createTenant,
  installCrd,
  onBothTiers,
  openAppSide,
  openOwnCluster,
  releasedBindingKind,
  sampleApi,
  widget,
} from '../konnector/world.ts';
import { Deployments, goKonnector, konnectorRef, konnectorRepository } from './go-konnector.ts';

onBothTiers('klutch upgrade', (clusters) => {
  /** An app cluster as a released konnector left it: cluster-scoped bindings, and objects that depend on them. */
  async function released() {
    const { tier, controlPlane } = clusters();
    const cluster = await openOwnCluster(tier);
    onTestFinished(() => cluster.close());
    await installCrd(cluster.admin, releasedBindingKind);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.namespace } };
    await cluster.admin.resource(Namespaces).create(namespace);
    const side = await openAppSide(cluster, names.namespace);
    const api = sampleApi();
    const tenant = await createTenant(controlPlane);
    onTestFinished(() => tenant.close());
    await tenant.publish(api);
    await side.storeKubeconfig(await tenant.offered());
    await cluster.admin.resource(ClusterScopedAPIServiceBindings).create({
      apiVersion: 'klutch.anynines.com/v1alpha1',
      kind: 'APIServiceBinding',
      metadata: { name: api.name, annotations: { note: 'mine' } },
      spec: { kubeconfigSecretRef: { name: 'kubeconfig-test', namespace: names.namespace, key: 'kubeconfig' } },
    });
    const file = join(await scratchFolder(), 'config');
    await writeFile(file, await cluster.kubeconfig(), { mode: 0o600 });
    await cluster.admin.resource(Deployments).create(goKonnector);
    const upgrade = async (...args: string[]) => {
      const run = runCommand(['upgrade', '--kubeconfig', file, ...args]);
      return { code: await run.ended(), err: run.err() };
    };
    return { cluster, side, api, tenant, upgrade };
  }

  it('CLI-35 moves cluster-scoped bindings of Go Klutch into their namespace and replaces its konnector, and no object is lost', async () => {
    const { cluster, side, api, tenant, upgrade } = await released();
    const old = cluster.admin.resource(ClusterScopedAPIServiceBindings);
    const before = await runKonnector(side, { apis: [api] });
    await patiently(async () => isConditionTrue((await old.get({ name: api.name })).status?.conditions, 'Ready'));
    const { name: namespace } = (await side.namespace()).metadata;
    const objects = cluster.admin.resource(api.type);
    const object = await patiently(() => objects.create(widget(api, 'w', namespace, { size: 1 })));
    const copies = clusters().controlPlane.admin.resource(api.type);
    const service = await tenant.serviceNamespace(namespace);
    const copy = await patiently(() => copies.find({ name: 'w', namespace: service }));
    await before.stop();

    expect(await upgrade()).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 bindings are now in namespace klutch-bind'),
    });

    expect(await cluster.admin.resource(Deployments).get(konnectorRef)).toMatchObject({
      spec: {
        replicas: 2,
        template: {
          spec: { containers: [{ name: 'konnector', image: `${konnectorRepository}:v${await packageVersion()}` }] },
        },
      },
    });
    const crd = await cluster.admin
      .resource(CustomResourceDefinitions)
      .get({ name: apiServiceBindingCrd.metadata.name ?? '' });
    expect(crd.spec.scope).toBe('Namespaced');
    const bindings = cluster.admin.resource(APIServiceBindings);
    const ref = { namespace: names.namespace, name: api.name };
    expect((await bindings.get(ref)).metadata.annotations).toMatchObject({ note: 'mine' });
    const after = await runKonnector(side, { apis: [api] });
    onTestFinished(() => after.stop());
    await patiently(async () => isConditionTrue((await bindings.get(ref)).status?.conditions, 'Ready'));
    await objects.patch({ name: 'w', namespace }, { type: 'merge', patch: { spec: { size: 2 } } });
    const grown = await patiently(async () => {
      const found = await copies.get({ name: 'w', namespace: service });
      return (found['spec'] as { size: number }).size === 2 && found;
    });
    expect(grown.metadata.uid).toBe(copy.metadata.uid);
    expect((await objects.get({ name: 'w', namespace })).metadata.uid).toBe(object.metadata.uid);

    expect(await upgrade()).toMatchObject({ code: 0, err: expect.stringContaining('are namespaced already') });
  }, 240_000);
});
