import { describe, expect, expectTypeOf, it } from 'vitest';
import type { JsonSchema } from '../schema/json-schema.ts';
import {
  type APIServiceBinding,
  APIServiceBindings,
  apiServiceBindingCrd,
  ClusterScopedAPIServiceBindings,
  clusterScopedAPIServiceBindingCrd,
} from './api-service-binding.ts';
import type { APIServiceExportRequest } from './api-service-export-request.ts';
import {
  type AnyninesAPIServiceExportTemplate,
  AnyninesAPIServiceExportTemplates,
  type APIServiceExportTemplate,
  APIServiceExportTemplates,
  offeredApi,
} from './api-service-export-template.ts';
import { clusterScopedCrds, crds } from './crds.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

const all = [...crds, ...clusterScopedCrds];
const byName = (list: readonly CustomResourceDefinition[]) => list.map((crd) => [crd.metadata.name, crd] as const);

describe('the CRDs', () => {
  it('are those of the eight kinds', () => {
    expect(crds.map(({ metadata }) => metadata.name)).toEqual([
      'apiservicebindings.klutch.anynines.com',
      'apiserviceexports.klutch.anynines.com',
      'apiserviceexportrequests.klutch.anynines.com',
      'apiservicenamespaces.klutch.anynines.com',
      'clusterbindings.klutch.anynines.com',
      'appclusterbindings.klutch.anynines.com',
      'apiserviceexporttemplates.example-backend.klutch.anynines.com',
      'apiserviceexporttemplates.bind.anynines.com',
    ]);
  });

  it.each(byName(all))('%s is named, versioned and listed like all others', (_, { spec }) => {
    const { kind, listKind, singular, categories } = spec.names;

    expect({ listKind, singular, categories }).toEqual({
      listKind: `${kind}List`,
      singular: kind.toLowerCase(),
      categories: ['kube-bindings'],
    });
    expect(spec.versions).toHaveLength(1);
    expect(spec.versions[0]).toMatchObject({
      name: 'v1alpha1',
      served: true,
      storage: true,
      subresources: { status: {} },
    });
    expect(spec.versions[0]?.subresources).not.toHaveProperty('scale');
  });

  it.each(byName(all))('%s describes every field', (_, crd) => {
    const schema: JsonSchema = crd.spec.versions[0]?.schema?.openAPIV3Schema ?? {};
    const { properties, ...root } = schema;
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...own } = properties ?? {};

    expect(undescribed({ ...root, properties: own })).toEqual([]);
  });

  it('differ in nothing but the scope between the two forms of APIServiceBinding', () => {
    const { scope: namespaced, ...spec } = apiServiceBindingCrd.spec;
    const { scope: cluster, ...clusterSpec } = clusterScopedAPIServiceBindingCrd.spec;

    expect([namespaced, cluster]).toEqual(['Namespaced', 'Cluster']);
    expect(clusterSpec).toEqual(spec);
  });

  it('have resource types that lead to them', () => {
    expect(APIServiceBindings).toEqual({
      group: 'klutch.anynines.com',
      version: 'v1alpha1',
      plural: 'apiservicebindings',
      kind: 'APIServiceBinding',
      namespaced: true,
    });
    expect(ClusterScopedAPIServiceBindings).toEqual({ ...APIServiceBindings, namespaced: false });
    expect(AnyninesAPIServiceExportTemplates).toEqual({ ...APIServiceExportTemplates, group: 'bind.anynines.com' });
  });
});

describe('the types of objects', () => {
  it('follow from the schemas', () => {
    expectTypeOf<APIServiceBinding['apiVersion']>().toEqualTypeOf<'klutch.anynines.com/v1alpha1'>();
    expectTypeOf<APIServiceBinding['kind']>().toEqualTypeOf<'APIServiceBinding'>();
    expectTypeOf<NonNullable<APIServiceBinding['spec']>['kubeconfigSecretRef']>().toEqualTypeOf<{
      readonly name: string;
      readonly namespace: string;
      readonly key: 'kubeconfig';
    }>();
    expectTypeOf<NonNullable<APIServiceExportRequest['status']>['phase']>().toEqualTypeOf<
      'Pending' | 'Failed' | 'Succeeded' | undefined
    >();
    expectTypeOf<APIServiceExportTemplate['spec']['APIServiceSelector']['resource']>().toEqualTypeOf<string>();
  });
});

describe('what a template offers', () => {
  const template = (spec: APIServiceExportTemplate['spec']): APIServiceExportTemplate => ({
    apiVersion: 'example-backend.klutch.anynines.com/v1alpha1',
    kind: 'APIServiceExportTemplate',
    metadata: { name: 'widgets' },
    spec,
  });
  const anyninesTemplate = (spec: AnyninesAPIServiceExportTemplate['spec']): AnyninesAPIServiceExportTemplate => ({
    apiVersion: 'bind.anynines.com/v1alpha1',
    kind: 'APIServiceExportTemplate',
    metadata: { name: 'widgets' },
    spec,
  });
  const claims = [{ resource: 'secrets', version: 'v1' }];

  it('is read from either group', () => {
    const expected = { group: 'example.org', resource: 'widgets', permissionClaims: claims };
    const api = { group: 'example.org', resource: 'widgets' };

    expect(offeredApi(template({ APIServiceSelector: { ...api, version: 'v1' }, permissionClaims: claims }))).toEqual(
      expected,
    );
    expect(
      offeredApi(anyninesTemplate({ APIServiceSelector: { ...api, versions: ['v1'] }, permissionClaims: claims })),
    ).toEqual(expected);
  });

  it('is without claims and in the core group unless the template says otherwise', () => {
    expect(offeredApi(template({ APIServiceSelector: { resource: 'secrets' } }))).toEqual({
      group: '',
      resource: 'secrets',
      permissionClaims: [],
    });
  });

  it.each<[string, AnyninesAPIServiceExportTemplate['spec']]>([
    ['spec', undefined],
    ['selector', {}],
    ['resource', { APIServiceSelector: { group: 'example.org' } }],
  ])('is nothing without a %s', (_, spec) => {
    expect(offeredApi(anyninesTemplate(spec))).toBeUndefined();
  });
});

function undescribed(schema: JsonSchema, path = 'object'): string[] {
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => undescribed(field, `${path}.${name}`)),
    ...(schema.items ? undescribed(schema.items, `${path}[]`) : []),
    ...(schema.additionalProperties ? undescribed(schema.additionalProperties, `${path}.*`) : []),
  ];
  return schema.description ? below : [path, ...below];
}
