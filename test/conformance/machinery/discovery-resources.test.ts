import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { crds, install } from '../definition.ts';
import { conformance } from '../suite.ts';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const everyVerb = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
/** Not sorted, as Kubernetes does not sort them for custom kinds. */
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const statusVerbs = ['get', 'patch', 'update'];

const namespaced = true;
const clusterWide = false;
const resource = (name: string, kind: string, scope: boolean, verbs: readonly string[], more: object = {}) => ({
  name,
  singularName: kind.toLowerCase(),
  namespaced: scope,
  kind,
  verbs,
  ...more,
});
const subresource = (name: string, kind: string, scope: boolean, verbs: readonly string[], more: object = {}) => ({
  ...resource(name, kind, scope, verbs, more),
  singularName: '',
});

interface Resource {
  readonly name?: string;
  readonly resource?: string;
  readonly [field: string]: unknown;
}

/** Entries by name, without the hash that depends on how objects are stored. */
const entriesOf = (entries: unknown, names: readonly string[]) =>
  names.map((name) => {
    const { storageVersionHash: _, ...entry } =
      (entries as Resource[] | undefined)?.find((each) => (each.name ?? each.resource) === name) ?? {};
    return entry;
  });

/** Resources by the path of their group and version. */
const others: readonly (readonly [path: string, resources: readonly { readonly name: string }[]])[] = [
  [
    '/apis/rbac.authorization.k8s.io/v1',
    [
      resource('roles', 'Role', namespaced, everyVerb),
      resource('clusterroles', 'ClusterRole', clusterWide, everyVerb),
      resource('rolebindings', 'RoleBinding', namespaced, everyVerb),
      resource('clusterrolebindings', 'ClusterRoleBinding', clusterWide, everyVerb),
    ],
  ],
  [
    '/apis/apps/v1',
    [
      resource('deployments', 'Deployment', namespaced, everyVerb, { shortNames: ['deploy'], categories: ['all'] }),
      subresource('deployments/status', 'Deployment', namespaced, statusVerbs),
      subresource('deployments/scale', 'Scale', namespaced, statusVerbs, { group: 'autoscaling', version: 'v1' }),
    ],
  ],
  [
    '/apis/authorization.k8s.io/v1',
    [
      resource('selfsubjectaccessreviews', 'SelfSubjectAccessReview', clusterWide, ['create']),
      resource('subjectaccessreviews', 'SubjectAccessReview', clusterWide, ['create']),
      resource('selfsubjectrulesreviews', 'SelfSubjectRulesReview', clusterWide, ['create']),
    ],
  ],
  [
    '/apis/authentication.k8s.io/v1',
    [
      resource('tokenreviews', 'TokenReview', clusterWide, ['create']),
      resource('selfsubjectreviews', 'SelfSubjectReview', clusterWide, ['create']),
    ],
  ],
  [
    '/apis/apiextensions.k8s.io/v1',
    [
      resource('customresourcedefinitions', 'CustomResourceDefinition', clusterWide, everyVerb, {
        shortNames: ['crd', 'crds'],
        categories: ['api-extensions'],
      }),
      subresource('customresourcedefinitions/status', 'CustomResourceDefinition', clusterWide, statusVerbs),
    ],
  ],
  ['/apis/coordination.k8s.io/v1', [resource('leases', 'Lease', namespaced, everyVerb)]],
  ['/apis/events.k8s.io/v1', [resource('events', 'Event', namespaced, everyVerb, { shortNames: ['ev'] })]],
  [
    '/apis/apiregistration.k8s.io/v1',
    [
      resource('apiservices', 'APIService', clusterWide, everyVerb, { categories: ['api-extensions'] }),
      subresource('apiservices/status', 'APIService', clusterWide, statusVerbs),
    ],
  ],
];

conformance('discovery of resources', ({ check }) => {
  check('lists the core resources with their verbs', async ({ admin }) => {
    const { body } = await admin.get('/api/v1');

    expect([body.kind, body.groupVersion]).toEqual(['APIResourceList', 'v1']);
    const names = [
      'configmaps',
      'secrets',
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
      'serviceaccounts',
      'serviceaccounts/token',
      'events',
      'pods',
      'pods/status',
    ];
    expect(entriesOf(body.resources, names)).toEqual([
      resource('configmaps', 'ConfigMap', namespaced, everyVerb, { shortNames: ['cm'] }),
      resource('secrets', 'Secret', namespaced, everyVerb),
      resource(
        'namespaces',
        'Namespace',
        clusterWide,
        ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
        { shortNames: ['ns'] },
      ),
      subresource('namespaces/finalize', 'Namespace', clusterWide, ['update']),
      subresource('namespaces/status', 'Namespace', clusterWide, statusVerbs),
      resource('serviceaccounts', 'ServiceAccount', namespaced, everyVerb, { shortNames: ['sa'] }),
      subresource('serviceaccounts/token', 'TokenRequest', namespaced, ['create'], {
        group: 'authentication.k8s.io',
        version: 'v1',
      }),
      resource('events', 'Event', namespaced, everyVerb, { shortNames: ['ev'] }),
      resource('pods', 'Pod', namespaced, everyVerb, { shortNames: ['po'], categories: ['all'] }),
      subresource('pods/status', 'Pod', namespaced, statusVerbs),
    ]);
  });

  for (const [path, resources] of others) {
    check(`lists the resources of ${path}`, async ({ admin }) => {
      const { body } = await admin.get(path);

      expect(
        entriesOf(
          body.resources,
          resources.map(({ name }) => name),
        ),
      ).toEqual(resources);
    });
  }

  check('tells everything in one document on demand', async ({ admin }) => {
    const { status, headers, body } = await admin.get('/api', { accept: aggregated });
    const core = body.items[0] as unknown as {
      metadata: object;
      versions: { version: string; freshness: string; resources: Resource[] }[];
    };

    expect([status, headers['content-type'], headers.vary, body.kind, body.apiVersion]).toEqual([
      200,
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      'Accept',
      'APIGroupDiscoveryList',
      'apidiscovery.k8s.io/v2',
    ]);
    expect(core.versions.map(({ version, freshness }) => [version, freshness])).toEqual([['v1', 'Current']]);
    expect(entriesOf(core.versions[0]?.resources, ['configmaps', 'namespaces', 'serviceaccounts'])).toEqual([
      {
        resource: 'configmaps',
        responseKind: { group: '', version: '', kind: 'ConfigMap' },
        scope: 'Namespaced',
        singularResource: 'configmap',
        verbs: everyVerb,
        shortNames: ['cm'],
      },
      {
        resource: 'namespaces',
        responseKind: { group: '', version: '', kind: 'Namespace' },
        scope: 'Cluster',
        singularResource: 'namespace',
        verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['ns'],
        subresources: [
          { subresource: 'finalize', responseKind: { group: '', version: '', kind: 'Namespace' }, verbs: ['update'] },
          {
            subresource: 'status',
            responseKind: { group: '', version: '', kind: 'Namespace' },
            verbs: statusVerbs,
          },
        ],
      },
      {
        resource: 'serviceaccounts',
        responseKind: { group: '', version: '', kind: 'ServiceAccount' },
        scope: 'Namespaced',
        singularResource: 'serviceaccount',
        verbs: everyVerb,
        shortNames: ['sa'],
        subresources: [
          {
            subresource: 'token',
            responseKind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
            verbs: ['create'],
          },
        ],
      },
    ]);
  });

  check('tells all groups in one document on demand', async ({ admin }) => {
    const { status, headers, body } = await admin.get('/apis', { accept: aggregated });
    const groups = body.items as unknown as {
      metadata: { name: string };
      versions: { version: string; resources: Resource[] }[];
    }[];
    const apps = groups.find(({ metadata }) => metadata.name === 'apps');

    expect([status, headers['content-type'], body.kind, body.apiVersion]).toEqual([
      200,
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      'APIGroupDiscoveryList',
      'apidiscovery.k8s.io/v2',
    ]);
    expect(entriesOf(apps?.versions[0]?.resources, ['deployments'])).toEqual([
      {
        resource: 'deployments',
        responseKind: { group: '', version: '', kind: 'Deployment' },
        scope: 'Namespaced',
        singularResource: 'deployment',
        verbs: everyVerb,
        shortNames: ['deploy'],
        categories: ['all'],
        subresources: [
          {
            subresource: 'scale',
            responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: statusVerbs,
          },
          {
            subresource: 'status',
            responseKind: { group: '', version: '', kind: 'Deployment' },
            verbs: statusVerbs,
          },
        ],
      },
    ]);
  });

  check('lists a custom kind as soon as it is established, and no longer than that', async ({ admin }) => {
    const group = 'discovery.conf.example';
    const names = { shortNames: ['fi', 'fnd'], categories: ['all', 'finders'], singular: 'finding' };
    const version = {
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
    };
    await install(admin, { group, kind: 'Finding', names, version, scope: 'Cluster' });

    const { body: description } = await admin.get(`/apis/${group}`);
    const { body: resources } = await admin.get(`/apis/${group}/v1`);
    const all = await eventually(
      async () => {
        const { body } = await admin.get('/apis', { accept: aggregated });
        return (body.items as unknown as { metadata: { name: string }; versions: object[] }[]).find(
          ({ metadata }) => metadata.name === group,
        );
      },
      { what: 'the group is in the aggregated document' },
    );
    await admin.delete(crds(`findings.${group}`));

    expect(description).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: group,
      versions: [{ groupVersion: `${group}/v1`, version: 'v1' }],
      preferredVersion: { groupVersion: `${group}/v1`, version: 'v1' },
    });
    expect(entriesOf(resources.resources, ['findings', 'findings/status', 'findings/scale'])).toEqual([
      resource('findings', 'Finding', clusterWide, customVerbs, {
        shortNames: ['fi', 'fnd'],
        categories: ['all', 'finders'],
      }),
      subresource('findings/status', 'Finding', clusterWide, statusVerbs),
      subresource('findings/scale', 'Scale', clusterWide, statusVerbs, { group: 'autoscaling', version: 'v1' }),
    ]);
    expect(all.versions).toEqual([
      {
        version: 'v1',
        resources: [
          {
            resource: 'findings',
            responseKind: { group, version: 'v1', kind: 'Finding' },
            scope: 'Cluster',
            singularResource: 'finding',
            verbs: customVerbs,
            shortNames: ['fi', 'fnd'],
            categories: ['all', 'finders'],
            subresources: [
              {
                subresource: 'status',
                responseKind: { group, version: 'v1', kind: 'Finding' },
                verbs: statusVerbs,
              },
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: statusVerbs,
              },
            ],
          },
        ],
        freshness: 'Current',
      },
    ]);
    await eventually(async () => (await admin.get(`/apis/${group}/v1`)).status === 404, { what: 'the kind is gone' });
    await eventually(async () => (await admin.get(`/apis/${group}`)).status === 404, { what: 'the group is gone' });
  });
});
