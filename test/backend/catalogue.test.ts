import {
  AnyninesAPIServiceExportTemplates,
  anyninesAPIServiceExportTemplateCrd,
  apiServiceExportTemplateCrd,
  CustomResourceDefinitions,
  crds,
} from '@klutch/api';
import { expect, it } from 'vitest';
import {
  offer,
  onOwnPlane,
  provide,
  type SampleApi,
  removeCrd,
  sampleApi,
  soon,
  startBackend,
  type TestCluster,
  withdraw,
} from './exports-world.ts';
import { installCrd } from '../konnector/world.ts';

onOwnPlane('the catalogue', (plane) => {
  it('BE-19 has every API of a template and a CRD once, in order, and none whose CRD is missing', async () => {
    const [first, second, missing] = [
      sampleApi({ group: 'bb.example.org' }),
      sampleApi({ group: 'aa.example.org' }),
      sampleApi(),
    ];
    await provide(plane(), first);
    await provide(plane(), second);
    await offer(plane(), second, { name: 'once-more', namespace: 'kube-system' });
    await offer(plane(), missing);

    const { catalogue } = await startBackend(plane());

    expect(catalogue.offersTo(undefined).map(({ name }) => name)).toEqual([second.name, first.name]);
    expect(catalogue.find(apiOf(missing), undefined)).toBe('CRDNotFound');
    expect(catalogue.find(apiOf(sampleApi()), undefined)).toBe('NotExported');
  });

  it('BE-20 does not offer cluster-scoped APIs where consumers see namespaces only', async () => {
    const api = sampleApi({ scope: 'Cluster' });
    await provide(plane(), api);

    const { catalogue } = await startBackend(plane());
    expect(catalogue.offersTo(undefined)).toEqual([]);
    expect(catalogue.find(apiOf(api), undefined)).toBe('ScopeRefused');

    const wide = await startBackend(plane(), { consumerScope: 'Cluster' });
    expect(wide.catalogue.offersTo(undefined).map(({ name }) => name)).toEqual([api.name]);
  });

  it('BE-27 shows a restricted API to the tenants it is for, and to nobody else', async () => {
    const api = sampleApi();
    await provide(plane(), api, { allowedTenants: 'team-a,team-b' });

    const { catalogue } = await startBackend(plane());

    expect(catalogue.offersTo({ name: 'team-b' }).map(({ name }) => name)).toEqual([api.name]);
    expect(catalogue.offersTo({ name: 'team-c' })).toEqual([]);
    expect(catalogue.offersTo(undefined)).toEqual([]);
    expect(catalogue.find(apiOf(api), { name: 'team-c' })).toBe('NotEntitled');
  });

  it('BE-19 follows templates and CRDs as they come and go, and tells who listens', async () => {
    const { catalogue } = await startBackend(plane());
    const [api, told] = [sampleApi(), new Set<string>()];
    const stop = catalogue.onChange((names) => {
      for (const name of names) told.add(name);
    });

    await provide(plane(), api);
    await soon(() => names(catalogue).includes(api.name));
    await withdraw(plane(), api);
    await soon(() => !names(catalogue).includes(api.name));
    await offer(plane(), api);
    await soon(() => names(catalogue).includes(api.name));
    await removeCrd(plane(), api);
    await soon(() => !names(catalogue).includes(api.name));

    expect(told).toContain(api.name);
    stop();
  });
});

onOwnPlane(
  'the catalogue of a control plane without the templates of the anynines distribution',
  (plane) => {
    it('BE-19 works without them, notices when they come, and forgets them when they go', async () => {
      const { catalogue } = await startBackend(plane());
      const [api, other] = [sampleApi(), sampleApi()];
      await provide(plane(), api);
      await soon(() => names(catalogue).includes(api.name));

      await installCrd(plane().admin, anyninesAPIServiceExportTemplateCrd);
      await offerAnynines(plane(), other);
      await soon(() => names(catalogue).includes(other.name));
      expect(names(catalogue)).toContain(api.name);

      const name = anyninesAPIServiceExportTemplateCrd.metadata.name ?? '';
      await plane().admin.resource(CustomResourceDefinitions).delete({ name });
      await soon(() => !names(catalogue).includes(other.name));
      expect(names(catalogue)).toContain(api.name);
    });

    it('BE-19 is empty, and no failure, where no templates are known at all', async () => {
      const name = apiServiceExportTemplateCrd.metadata.name ?? '';
      await plane().admin.resource(CustomResourceDefinitions).delete({ name });
      await soon(async () => (await plane().admin.resource(CustomResourceDefinitions).find({ name })) === undefined);

      const { catalogue } = await startBackend(plane());
      expect(catalogue.offersTo(undefined)).toEqual([]);

      await installCrd(plane().admin, apiServiceExportTemplateCrd);
      const api = sampleApi();
      await provide(plane(), api);
      await soon(() => names(catalogue).includes(api.name));
    });
  },
  crds.filter(({ metadata }) => metadata.name !== anyninesAPIServiceExportTemplateCrd.metadata.name),
);

async function offerAnynines(plane: TestCluster, api: SampleApi): Promise<void> {
  await installCrd(plane.admin, api.crd);
  await plane.admin.resource(AnyninesAPIServiceExportTemplates).create({
    apiVersion: 'bind.anynines.com/v1alpha1',
    kind: 'APIServiceExportTemplate',
    metadata: { name: 'other', namespace: 'default' },
    spec: { APIServiceSelector: { group: api.type.group, resource: api.type.plural, versions: ['v1'] } },
  });
}

function names(catalogue: { offersTo(tenant: undefined): readonly { readonly name: string }[] }): readonly string[] {
  return catalogue.offersTo(undefined).map(({ name }) => name);
}

function apiOf({ type }: SampleApi): { group: string; resource: string } {
  return { group: type.group, resource: type.plural };
}
