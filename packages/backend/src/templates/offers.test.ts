import {
  annotations,
  type APIServiceExportTemplate,
  type CustomResourceDefinition,
  type PermissionClaim,
} from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisive, judge, readTemplate, type Template } from './offers.ts';

describe('reading a template', () => {
  it('takes the API, its claims, and for whom it is', () => {
    const notes = { [annotations.allowedTenants]: ' team-a, team-b,,', [annotations.description]: ' A database. ' };

    expect(readTemplate(templateObject(notes))).toEqual({
      id: 'example-backend.klutch.anynines.com/v1alpha1/default/t',
      created: '2026-01-01T00:00:00Z',
      api: { group: 'example.org', resource: 'widgets', permissionClaims: [secrets] },
      allowedTenants: ['team-a', 'team-b'],
      description: 'A database.',
    });
  });

  it('restricts nothing when it names no tenants, and admits nobody when the list is empty', () => {
    expect(readTemplate(templateObject())).not.toHaveProperty('allowedTenants');
    expect(readTemplate(templateObject({ [annotations.allowedTenants]: '' }))?.allowedTenants).toEqual([]);
  });

  it('finds nothing in one that names no API, as the other group permits', () => {
    const empty = { ...templateObject(), spec: undefined } as unknown as APIServiceExportTemplate;

    expect(readTemplate(empty)).toBeUndefined();
  });
});

describe('of several templates for one API', () => {
  it('the oldest counts, whatever the order in which they are read', () => {
    const templates = [
      template({ id: 'c', created: '2026-01-02T00:00:00Z' }),
      template({ id: 'b', created: '2026-01-01T00:00:00Z' }),
      template({ id: 'a', created: '2026-01-01T00:00:00Z' }),
    ];

    fc.assert(
      fc.property(fc.shuffledSubarray(templates, { minLength: 3 }), (shuffled) => {
        expect(decisive(shuffled)?.id).toBe('a');
      }),
    );
  });

  it('a later one neither widens nor narrows what the oldest says', () => {
    const [old, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
    const restricted = template({ id: 'r', created: old, allowedTenants: ['team-a'] });
    const open = template({ id: 'o', created: late });

    expect(judge([open, restricted], crd(), { name: 'team-b' }, 'Namespaced')).toBe('NotEntitled');
    expect(
      judge(
        [
          { ...open, created: old },
          { ...restricted, created: late },
        ],
        crd(),
        { name: 'team-b' },
        'Namespaced',
      ),
    ).toMatchObject({ name: 'widgets.example.org' });
  });
});

describe('judging whether an API may be bound', () => {
  const tenant = { name: 'team-a' };
  it.each<[string, Parameters<typeof judge>, string]>([
    ['no template', [[], crd(), tenant, 'Cluster'], 'NotExported'],
    ['neither template nor CRD', [[], undefined, tenant, 'Cluster'], 'NotExported'],
    ['another tenant', [[template({ allowedTenants: ['team-b'] })], crd(), tenant, 'Cluster'], 'NotEntitled'],
    ['nobody in particular', [[template({ allowedTenants: ['team-a'] })], crd(), undefined, 'Cluster'], 'NotEntitled'],
    ['an empty list', [[template({ allowedTenants: [] })], crd(), tenant, 'Cluster'], 'NotEntitled'],
    ['another tenant, no CRD', [[template({ allowedTenants: [] })], undefined, tenant, 'Cluster'], 'NotEntitled'],
    ['no CRD', [[template({})], undefined, tenant, 'Cluster'], 'CRDNotFound'],
    ['a cluster-scoped API', [[template({})], crd('Cluster'), tenant, 'Namespaced'], 'ScopeRefused'],
    ['claims where consumers see the cluster', [[template({})], crd(), tenant, 'Cluster'], 'ClaimsRefused'],
  ])('refuses with %s', (_, seen, refusal) => {
    expect(judge(...seen)).toBe(refusal);
  });

  it.each<[string, Parameters<typeof judge>]>([
    ['everybody', [[template({})], crd(), undefined, 'Namespaced']],
    ['a tenant that is named', [[template({ allowedTenants: ['x', 'team-a'] })], crd(), tenant, 'Namespaced']],
  ])('offers it to %s', (_, seen) => {
    expect(judge(...seen)).toMatchObject({
      name: 'widgets.example.org',
      group: 'example.org',
      resource: 'widgets',
      permissionClaims: [secrets],
      crd: seen[1],
    });
  });

  it('offers a cluster-scoped API without permission claims where consumers see the cluster', () => {
    const api = { group: 'example.org', resource: 'widgets', permissionClaims: [] };

    expect(judge([template({ api })], crd('Cluster'), tenant, 'Cluster')).toMatchObject({ permissionClaims: [] });
  });

  it('never offers a restricted API to a tenant that is not named', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.option(fc.string(), { nil: undefined }), (allowedTenants, name) => {
        const asking = name === undefined ? undefined : { name };
        const verdict = judge([template({ allowedTenants })], crd(), asking, 'Namespaced');
        expect(typeof verdict === 'object').toBe(name !== undefined && allowedTenants.includes(name));
      }),
    );
  });
});

const secrets: PermissionClaim = { group: '', resource: 'secrets', version: 'v1' };

function template(fields: Partial<Template>): Template {
  return {
    id: 'a',
    created: '2026-01-01T00:00:00Z',
    api: { group: 'example.org', resource: 'widgets', permissionClaims: [secrets] },
    ...fields,
  };
}

function templateObject(notes: Readonly<Record<string, string>> = {}): APIServiceExportTemplate {
  return {
    apiVersion: 'example-backend.klutch.anynines.com/v1alpha1',
    kind: 'APIServiceExportTemplate',
    metadata: { name: 't', namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z', annotations: notes },
    spec: { APIServiceSelector: { group: 'example.org', resource: 'widgets' }, permissionClaims: [secrets] },
  };
}

function crd(scope: 'Namespaced' | 'Cluster' = 'Namespaced'): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      names: { plural: 'widgets', kind: 'Widget' },
      scope,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}
