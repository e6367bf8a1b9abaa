import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Client } from '../client.ts';
import { crds, served } from '../definition.ts';
import type { Sent } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

const folder = new URL('../../../packages/api/crds/', import.meta.url);
const namespace = 'conf-own-rules';
/** Other tests of a run may use the real groups. */
const groupOf = (group: string) => `${group.split('.')[0]}.own-rules.conf.example`;

interface Crd extends Sent {
  readonly spec: { readonly group: string; readonly names: { readonly plural: string; readonly kind: string } };
}

/** An object of one of our kinds, and what a rule says about it; nothing when it is fine. */
interface Row {
  readonly group?: string;
  readonly plural: string;
  readonly name?: string;
  readonly before?: object;
  readonly spec: object;
  readonly says?: readonly [field: string, message: string];
}

const secret = { name: 'a', key: 'kubeconfig', namespace: 'b' };
const other = { ...secret, name: 'other' };
const claim = (more: object) => ({ resource: 'secrets', version: 'v1', ...more });
const exclusive = 'donate and adopt are mutually exclusive';
const claims = (row: Omit<Row, 'spec'>, wrap: (claims: object[]) => object, at: string, more: object = {}): Row[] => [
  { ...row, spec: wrap([claim({ ...more, autoDonate: true, autoAdopt: false })]) },
  { ...row, spec: wrap([claim({ ...more, autoDonate: true })]) },
  { ...row, spec: wrap([claim({ ...more, autoDonate: true, autoAdopt: true })]), says: [`spec.${at}[0]`, exclusive] },
];

const exported = {
  group: 'example.org',
  names: { kind: 'Widget', plural: 'widgets' },
  scope: 'Namespaced',
  informerScope: 'Namespaced',
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
};
const clusterWide = { ...exported, scope: 'Cluster', informerScope: 'Cluster', clusterScopedIsolation: 'Prefixed' };
const asExport = (spec: object, says?: Row['says'], before?: object, name = 'widgets.example.org'): Row => ({
  plural: 'apiserviceexports',
  name,
  spec,
  says,
  before,
});

const requested = { parameters: { a: 1 }, resources: [{ group: 'example.org', resource: 'widgets' }] };
const request = (spec: object, says?: Row['says']): Row => ({
  plural: 'apiserviceexportrequests',
  before: requested,
  spec,
  says,
});
const templates = ['bind.anynines.com', 'example-backend.klutch.anynines.com'];
const cluster = { kubeconfigSecretRef: { name: 'a', key: 'kubeconfig' }, providerPrettyName: 'Acme' };

const rows: readonly Row[] = [
  { plural: 'apiservicebindings', before: { kubeconfigSecretRef: secret }, spec: { kubeconfigSecretRef: secret } },
  {
    plural: 'apiservicebindings',
    before: { kubeconfigSecretRef: secret },
    spec: { kubeconfigSecretRef: other },
    says: ['spec.kubeconfigSecretRef', 'kubeconfigSecretRef is immutable'],
  },
  ...claims(
    { plural: 'apiservicebindings' },
    (permissionClaims) => ({ kubeconfigSecretRef: secret, permissionClaims }),
    'permissionClaims',
    { state: 'Accepted' },
  ),
  asExport(exported),
  asExport(
    exported,
    ['<nil>', 'metadata.name must be <spec.names.plural>.<spec.group>'],
    undefined,
    'others.example.org',
  ),
  asExport({ ...exported, clusterScopedIsolation: 'None' }, [
    'spec',
    'clusterScopedIsolation is only for cluster-scoped APIs',
  ]),
  asExport(clusterWide),
  asExport({ ...clusterWide, informerScope: 'Namespaced' }, [
    'spec',
    'a cluster-scoped API needs informerScope Cluster',
  ]),
  asExport({ ...clusterWide, clusterScopedIsolation: undefined }, [
    'spec',
    'a cluster-scoped API needs clusterScopedIsolation',
  ]),
  asExport(exported, undefined, exported),
  asExport({ ...exported, informerScope: 'Cluster' }, ['spec.informerScope', 'informerScope is immutable'], exported),
  ...claims(
    { plural: 'apiserviceexports', name: 'widgets.example.org' },
    (permissionClaims) => ({ ...exported, permissionClaims }),
    'permissionClaims',
  ),
  request(requested),
  request({ ...requested, parameters: { a: 2 } }, ['spec.parameters', 'parameters is immutable']),
  request({ ...requested, resources: [{ resource: 'others' }] }, ['spec.resources', 'resources is immutable']),
  ...claims(
    { plural: 'apiserviceexportrequests' },
    (permissionClaims) => ({ resources: [{ resource: 'widgets', permissionClaims }] }),
    'resources[0].permissionClaims',
  ),
  ...templates.flatMap((group) =>
    claims(
      { group, plural: 'apiserviceexporttemplates' },
      (permissionClaims) => ({ APIServiceSelector: { group: 'example.org', resource: 'widgets' }, permissionClaims }),
      'permissionClaims',
    ),
  ),
  { plural: 'appclusterbindings', before: { kubeconfigSecretRef: secret }, spec: { kubeconfigSecretRef: secret } },
  {
    plural: 'appclusterbindings',
    before: { kubeconfigSecretRef: secret },
    spec: { kubeconfigSecretRef: other },
    says: ['spec.kubeconfigSecretRef', 'kubeconfigSecretRef is immutable'],
  },
  { plural: 'clusterbindings', name: 'cluster', spec: cluster },
  { plural: 'clusterbindings', name: 'other', spec: cluster, says: ['<nil>', 'the name must be cluster'] },
  {
    plural: 'clusterbindings',
    name: 'cluster',
    before: cluster,
    spec: { ...cluster, kubeconfigSecretRef: { name: 'other', key: 'kubeconfig' } },
    says: ['spec.kubeconfigSecretRef', 'kubeconfigSecretRef is immutable'],
  },
];

conformance('rules of our own definitions', ({ check, prepare }) => {
  const definitions = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(new URL(file, folder), 'utf8')) as Crd);

  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await Promise.all(definitions.map((crd) => define(admin, crd)));
  });

  for (const [index, row] of rows.entries()) {
    const { group = 'klutch.anynines.com', plural, name = `object-${index}`, before, spec, says } = row;
    check(`${index}: ${plural} ${says ? `refuse: ${says[1]}` : 'accept'}`, async ({ admin }) => {
      const crd = definitions.find((one) => one.spec.group === group && one.spec.names.plural === plural);
      const objects = inNamespace(`${groupOf(group)}/v1alpha1/${plural}`, namespace);
      const apiVersion = `${groupOf(group)}/v1alpha1`;
      const sent = { apiVersion, kind: crd?.spec.names.kind, metadata: { name }, spec };
      const strict = 'dryRun=All&fieldValidation=Strict';

      const created = before && (await admin.create(objects(), { ...sent, spec: before }));
      const { status, body } = created
        ? await admin.put(`${objects(name)}?${strict}`, { ...sent, metadata: created.metadata })
        : await admin.post(`${objects()}?${strict}`, sent);
      if (created) await admin.delete(objects(name));

      const { causes = [] } = (body.details ?? {}) as { readonly causes?: readonly object[] };
      expect(causes).toEqual(
        says ? [expect.objectContaining({ field: says[0], message: expect.stringContaining(says[1]) })] : [],
      );
      expect(status).toBe(says ? 422 : created ? 200 : 201);
    });
  }
});

async function define(admin: Client, crd: Crd): Promise<void> {
  const { group, names } = crd.spec;
  const name = `${names.plural}.${groupOf(group)}`;
  await admin.create(crds(), {
    ...crd,
    metadata: { name },
    spec: { ...crd.spec, group: groupOf(group) },
  });
  await served(admin, name);
}
