import { annotations, type PermissionClaim } from '@klutch/api';
import { ConfigMaps, type KubeClient, type Secret, Secrets } from '@klutch/kube';
import { expect, it } from 'vitest';
import { onOwnPlane, sampleApi, unique } from '../backend/exports-world.ts';
import { installCrd } from '../konnector/world.ts';
import { patiently } from '../backend/process-world.ts';
import { allCalls } from './calls.ts';
import { listedCalls } from './listed-calls.ts';
import { all, type Attempts, outcomesOf } from './outcomes.ts';
import { openTenants } from './tenant-scene.ts';
import { allowedCalls } from './try-calls.ts';

type Shape = 'provider-owned' | 'consumer-owned' | 'of-both' | 'of-other-types';

const shapes: Readonly<Record<Shape, readonly PermissionClaim[]>> = {
  'provider-owned': [{ resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } }],
  'consumer-owned': [{ resource: 'secrets', version: 'v1', selector: { owner: 'Consumer' } }],
  'of-both': [{ resource: 'secrets', version: 'v1' }],
  'of-other-types': [
    { resource: 'configmaps', version: 'v1', selector: { owner: 'Provider' } },
    { group: 'coordination.k8s.io', resource: 'leases', version: 'v1', selector: { owner: 'Consumer' } },
  ],
};

const owner = (side: 'Provider' | 'Consumer') => ({ [annotations.resourceOwner]: side });

onOwnPlane('a hostile tenant with a valid token', (plane) => {
  it.each(Object.keys(shapes) as readonly Shape[])(
    'BE-35 S-1 S-15 reaches exactly what the list says, whatever verb it tries on whatever resource, with permission claims %s',
    async (shape) => {
      const { api, launched, hostile, victim } = await openTenants(plane(), shapes[shape]);
      const asConsumer = { metadata: { name: 'klutch-hostile', annotations: owner('Consumer') } };

      const calls = await allCalls(
        plane().admin,
        [
          { name: 'cluster' },
          { name: 'own-cluster-namespace', namespace: hostile.clusterNamespace },
          { name: 'own-service-namespace', namespace: hostile.serviceNamespace },
          { name: 'cluster-namespace-of-another', namespace: victim.clusterNamespace },
          { name: 'service-namespace-of-another', namespace: victim.serviceNamespace },
          { name: 'namespace-of-the-backend', namespace: launched.namespace },
          { name: 'kube-system', namespace: 'kube-system' },
          { name: 'default', namespace: 'default' },
        ],
        { secrets: asConsumer, configmaps: asConsumer, leases: asConsumer },
      );
      const plain = (title: string) =>
        title.replace(api.name.slice(api.name.indexOf('.') + 1), 'example.org').replace(api.type.plural, 'widgets');
      const allowed = (await allowedCalls(hostile.client, calls)).map(plain).sort();

      expect(calls.length).toBeGreaterThan(1_000);
      expect(allowed).toEqual(await listedCalls(new URL(`allowed-tenant-${shape}.txt`, import.meta.url), allowed));
    },
    300_000,
  );

  it.each(['provider-owned', 'consumer-owned', 'of-both'] as const)(
    'BE-41 S-15 S-24 can neither change nor take over what belongs to the provider, nor mint tokens, with permission claims %s',
    async (shape) => {
      const { hostile, victim } = await openTenants(plane(), shapes[shape]);
      const admin = plane().admin.resource(Secrets);
      const secrets = hostile.client.resource(Secrets);
      const namespace = hostile.serviceNamespace;
      const made = async (name: string, notes: Readonly<Record<string, string>> = {}) => {
        await admin.create(secretOf(namespace, name, notes));
        return { namespace, name };
      };
      const plain = await made(unique('credentials'));
      const marked = await made(unique('marked'), owner('Provider'));
      const copied = await made(unique('copied'), owner('Consumer'));
      await patiently(() => secrets.get(plain));
      const change = (ref: { namespace: string; name: string }, patch: object) => () =>
        secrets.patch(ref, { type: 'merge', patch });
      const data = { data: { password: Buffer.from('mine').toString('base64') } };

      const never: Attempts = {
        'overwrites credentials of the provider': change(plain, data),
        'overwrites marked ones': change(marked, data),
        'declares credentials of the provider its own': change(plain, { metadata: { annotations: owner('Consumer') } }),
        'declares marked ones its own': change(marked, { metadata: { annotations: owner('Consumer') } }),
        'declares them its own while it overwrites them': change(plain, {
          ...data,
          metadata: { annotations: owner('Consumer') },
        }),
        'deletes credentials of the provider': () => secrets.delete(plain),
        'mints a token': () =>
          secrets.create({
            ...secretOf(namespace, unique('token'), {
              ...owner('Consumer'),
              'kubernetes.io/service-account.name': 'default',
            }),
            type: 'kubernetes.io/service-account-token',
            data: {},
          }),
        'mints a bootstrap token': () =>
          secrets.create({
            ...secretOf(namespace, 'bootstrap-token-abcdef', owner('Consumer')),
            type: 'bootstrap.kubernetes.io/token',
          }),
        'makes a Secret in the name of the provider': () =>
          secrets.create(secretOf(namespace, unique('made'), owner('Provider'))),
        'reads Secrets of another tenant': () => secrets.list({ namespace: victim.serviceNamespace }),
      };
      expect(await outcomesOf(never)).toEqual(all(never, 'forbidden'));

      const marking: Attempts = {
        'marks what it found as owned by the provider': change(plain, { metadata: { annotations: owner('Provider') } }),
      };
      const uploading: Attempts = {
        'uploads a Secret of the app cluster': () =>
          secrets.create(secretOf(namespace, unique('uploaded'), owner('Consumer'))),
        'updates it': change(copied, data),
        'removes it': () => secrets.delete(copied),
      };
      const needed = {
        ...(shape === 'consumer-owned' ? {} : marking),
        ...(shape === 'provider-owned' ? {} : uploading),
      };
      expect(await outcomesOf(needed)).toEqual(all(needed, 'done'));
      expect((await admin.get(plain)).data).toEqual(secretOf('', '').data);
    },
    300_000,
  );

  it('BE-41 S-15 cannot change ConfigMaps of the provider that it may read', async () => {
    const { hostile } = await openTenants(plane(), shapes['of-other-types']);
    const maps = (client: KubeClient) => client.resource(ConfigMaps);
    const ref = { namespace: hostile.serviceNamespace, name: unique('settings') };
    await maps(plane().admin).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data: { a: '1' } });
    await patiently(() => maps(hostile.client).get(ref));

    const attempts = {
      'changes content': () => maps(hostile.client).patch(ref, { type: 'merge', patch: { data: { a: '2' } } }),
      'adds binary content': () =>
        maps(hostile.client).patch(ref, { type: 'merge', patch: { binaryData: { b: 'AA==' } } }),
      'freezes it': () => maps(hostile.client).patch(ref, { type: 'merge', patch: { immutable: true } }),
    };
    expect(await outcomesOf(attempts)).toEqual(all(attempts, 'forbidden'));
  }, 300_000);

  it('BE-41 S-15 changes of custom resources of the provider nothing but the marks of Klutch', async () => {
    const gadgets = sampleApi();
    await installCrd(plane().admin, gadgets.crd);
    const { type } = gadgets;
    const { hostile } = await openTenants(plane(), [
      { group: type.group, resource: type.plural, version: type.version },
    ]);
    const ref = { namespace: hostile.serviceNamespace, name: unique('gadget') };
    const gadget = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: ref, spec: { size: 1 } };
    await plane().admin.resource(type).create(gadget);
    await patiently(() => hostile.client.resource(type).get(ref));
    const change = (patch: object) => () => hostile.client.resource(type).patch(ref, { type: 'merge', patch });
    const own = { ...gadget, metadata: { ...ref, name: unique('own'), annotations: owner('Consumer') } };

    const never: Attempts = {
      'changes its content': change({ spec: { size: 2 } }),
      'removes its content': change({ spec: null }),
      'labels it for controllers of the provider': change({ metadata: { labels: { team: 'mine' } } }),
      'keeps it from being deleted': change({ metadata: { finalizers: ['example.org/stay'] } }),
      'takes it over': change({ metadata: { annotations: owner('Consumer') } }),
      'deletes it': () => hostile.client.resource(type).delete(ref),
      'makes one without an owner': () =>
        hostile.client.resource(type).create({ ...gadget, metadata: { ...ref, name: unique('made') } }),
    };
    expect(await outcomesOf(never)).toEqual(all(never, 'forbidden'));
    const needed: Attempts = {
      'marks it': change({ metadata: { annotations: owner('Provider') } }),
      'uploads one of its own': () => hostile.client.resource(type).create(own),
      'changes that': () =>
        hostile.client.resource(type).patch(own.metadata, { type: 'merge', patch: { spec: { size: 3 } } }),
      'deletes that': () => hostile.client.resource(type).delete(own.metadata),
    };
    expect(await outcomesOf(needed)).toEqual(all(needed, 'done'));
  }, 300_000);
});

function secretOf(namespace: string, name: string, notes: Readonly<Record<string, string>> = {}): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, annotations: notes },
    type: 'Opaque',
    data: { password: Buffer.from('of the provider').toString('base64') },
  };
}
