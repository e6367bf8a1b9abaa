import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtInResources } from '../kinds/index.ts';
import { createRegistry, type Registry } from '../registry/registry.ts';
import { allVerbs, type ServedResource } from '../registry/served-resource.ts';
import { StatusError } from '../status/status-error.ts';
import { discoveryAnswer } from './discovery-answer.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** A custom resource, as far as discovery looks at it. */
function custom(group: string, version: string, resource: string, more: Partial<ServedResource> = {}): ServedResource {
  const kind = `${resource.charAt(0).toUpperCase()}${resource.slice(1, -1)}`;
  return {
    group,
    version,
    resource,
    kind,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: allVerbs,
    bucket: `${group}/${resource}`,
    storageApiVersion: `${group}/v1`,
    hasStatus: false,
    columns: [],
    selectableFields: {},
    builtIn: false,
    ...more,
  } as ServedResource;
}

function registryWith(...resources: ServedResource[]): Registry {
  const registry = createRegistry(builtInResources);
  for (const served of resources) registry.replace(`${served.bucket}/${served.version}`, [served]);
  return registry;
}

interface Entry {
  readonly name: string;
  readonly resource: string;
}

function body(path: string, registry: Registry, accept?: string): unknown {
  const answer = discoveryAnswer(path, { accept, host: '127.0.0.1:6443' }, registry);
  return JSON.parse(answer?.text ?? 'null') as unknown;
}

const widgets = custom('example.org', 'v1', 'widgets', {
  shortNames: ['wd'],
  categories: ['all', 'toys'],
  hasStatus: true,
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas' },
});

describe('discovery in one document', () => {
  it('lists groups in the order of Kubernetes, custom ones last and by name', () => {
    const registry = registryWith(custom('zoo.org', 'v1', 'lions'), custom('art.org', 'v1', 'prints'));
    const { items } = body('/apis', registry, aggregated) as { items: { metadata: { name: string } }[] };

    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'apiregistration.k8s.io',
      'apps',
      'events.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      'autoscaling',
      'batch',
      'networking.k8s.io',
      'policy',
      'rbac.authorization.k8s.io',
      'storage.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'scheduling.k8s.io',
      'coordination.k8s.io',
      'node.k8s.io',
      'discovery.k8s.io',
      'art.org',
      'zoo.org',
    ]);
  });

  it('lists core apart, without a name', () => {
    const { items, ...list } = body('/api', registryWith(), aggregated) as {
      items: { metadata: object; versions: { version: string; resources: Entry[] }[] }[];
    };

    expect(list).toEqual({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {} });
    expect(items.map(({ metadata }) => metadata)).toEqual([{}]);
    expect(items[0]?.versions.map(({ version }) => version)).toEqual(['v1']);
    expect(items[0]?.versions[0]?.resources.map(({ resource }) => resource)).toEqual([
      'configmaps',
      'endpoints',
      'events',
      'limitranges',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'podtemplates',
      'replicationcontrollers',
      'resourcequotas',
      'secrets',
      'serviceaccounts',
      'services',
    ]);
  });

  // As recorded from a kube-apiserver.
  it.each([
    [
      '/api',
      'namespaces',
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
            verbs: ['get', 'patch', 'update'],
          },
        ],
      },
    ],
    [
      '/api',
      'serviceaccounts',
      {
        resource: 'serviceaccounts',
        responseKind: { group: '', version: '', kind: 'ServiceAccount' },
        scope: 'Namespaced',
        singularResource: 'serviceaccount',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['sa'],
        subresources: [
          {
            subresource: 'token',
            responseKind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
            verbs: ['create'],
          },
        ],
      },
    ],
    [
      '/apis',
      'deployments',
      {
        resource: 'deployments',
        responseKind: { group: '', version: '', kind: 'Deployment' },
        scope: 'Namespaced',
        singularResource: 'deployment',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['deploy'],
        categories: ['all'],
        subresources: [
          {
            subresource: 'scale',
            responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get', 'patch', 'update'],
          },
          {
            subresource: 'status',
            responseKind: { group: '', version: '', kind: 'Deployment' },
            verbs: ['get', 'patch', 'update'],
          },
        ],
      },
    ],
    [
      '/apis',
      'selfsubjectreviews',
      {
        resource: 'selfsubjectreviews',
        responseKind: { group: '', version: '', kind: 'SelfSubjectReview' },
        scope: 'Cluster',
        singularResource: 'selfsubjectreview',
        verbs: ['create'],
      },
    ],
    [
      '/apis',
      'widgets',
      {
        resource: 'widgets',
        responseKind: { group: 'example.org', version: 'v1', kind: 'Widget' },
        scope: 'Namespaced',
        singularResource: 'widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wd'],
        categories: ['all', 'toys'],
        subresources: [
          {
            subresource: 'status',
            responseKind: { group: 'example.org', version: 'v1', kind: 'Widget' },
            verbs: ['get', 'patch', 'update'],
          },
          {
            subresource: 'scale',
            responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
            verbs: ['get', 'patch', 'update'],
          },
        ],
      },
    ],
  ])('%s describes %s as Kubernetes does', (path, resource, entry) => {
    const { items } = body(path, registryWith(widgets), aggregated) as {
      items: { versions: { resources: Entry[] }[] }[];
    };
    const all = items.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));

    expect(all.find((one) => one.resource === resource)).toEqual(entry);
  });

  it('is sent again only when it has changed', () => {
    const registry = registryWith();
    const first = discoveryAnswer('/apis', { accept: aggregated }, registry);
    const etag = first?.headers?.['etag'] ?? '';
    const again = discoveryAnswer('/apis', { accept: aggregated, 'if-none-match': etag }, registry);

    expect(first).toMatchObject({
      code: 200,
      headers: { vary: 'Accept', 'cache-control': 'public', 'content-type': aggregated },
    });
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(again).toEqual({ code: 304, text: '', headers: { etag, vary: 'Accept', 'cache-control': 'public' } });

    registry.replace('example.org/widgets', [widgets]);
    const changed = discoveryAnswer('/apis', { accept: aggregated, 'if-none-match': etag }, registry);

    expect(changed?.code).toBe(200);
    expect(changed?.headers?.['etag']).not.toBe(etag);
  });
});

describe('discovery document by document', () => {
  it('starts with the version of core and the address of the server', () => {
    expect(body('/api', registryWith())).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
  });

  it('lists groups with their versions, the preferred one first', () => {
    const registry = registryWith(
      custom('example.org', 'v1beta1', 'widgets'),
      custom('example.org', 'v2', 'gadgets'),
      widgets,
    );
    const versions = ['v2', 'v1', 'v1beta1'].map((version) => ({ groupVersion: `example.org/${version}`, version }));
    const group = { name: 'example.org', versions, preferredVersion: versions[0] };

    expect(body('/apis/example.org', registry)).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...group });
    expect((body('/apis', registry) as { groups: object[] }).groups.at(-1)).toEqual(group);
  });

  it('orders custom groups by the names of their services, which begin with the version', () => {
    const registry = registryWith(custom('zoo.org', 'v1', 'lions'), custom('art.org', 'v1beta1', 'prints'));
    const { groups } = body('/apis', registry) as { groups: Entry[] };

    expect(groups.slice(-2).map(({ name }) => name)).toEqual(['zoo.org', 'art.org']);
  });

  it('lists resources and subresources', () => {
    expect(body('/apis/example.org/v1', registryWith(widgets))).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.org/v1',
      resources: [
        {
          name: 'widgets',
          singularName: 'widget',
          namespaced: true,
          kind: 'Widget',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['wd'],
          categories: ['all', 'toys'],
          storageVersionHash: 'UBpgYKpyMCc=',
        },
        {
          name: 'widgets/status',
          singularName: '',
          namespaced: true,
          kind: 'Widget',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'widgets/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    });
  });

  it('describes secrets of core', () => {
    const { resources, ...list } = body('/api/v1', registryWith()) as { resources: Entry[] };

    expect(list).toEqual({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(resources.find(({ name }) => name === 'secrets')).toEqual({
      name: 'secrets',
      singularName: 'secret',
      namespaced: true,
      kind: 'Secret',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersionHash: 'S6u1pOWzb84=',
    });
  });

  it.each(['/api/', '/apis/', '/api/v1/', '/apis/apps/', '/apis/apps/v1/', '/version/'])(
    'takes a slash at the end of %s',
    (path) => {
      expect(discoveryAnswer(path, {}, registryWith())?.code).toBe(200);
    },
  );

  it('speaks YAML', () => {
    const answer = discoveryAnswer('/apis/apps', { accept: 'application/yaml' }, registryWith());

    expect(answer?.headers).toEqual({ 'content-type': 'application/yaml' });
    expect(parse(answer?.text ?? '')).toEqual(body('/apis/apps', registryWith()));
  });

  it('refuses clients that take nothing it can send', () => {
    expect(() => discoveryAnswer('/apis', { accept: 'text/html' }, registryWith())).toThrow(StatusError);
  });
});

describe('paths of the server', () => {
  it('are listed at the root', () => {
    const { paths } = body('/', registryWith(widgets)) as { paths: string[] };

    expect(paths).toEqual([...paths].sort());
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api',
        '/api/v1',
        '/apis',
        '/apis/example.org',
        '/apis/example.org/v1',
        '/openapi/v3',
        '/version',
      ]),
    );
  });

  it('tell the version of Kubernetes whose behaviour this is', () => {
    expect(body('/version', registryWith())).toMatchObject({
      major: '1',
      minor: '35',
      gitVersion: expect.stringMatching(/^v1\.35\.\d+\+klutch$/),
    });
  });

  it.each(['/apis/nosuch', '/apis/example.org/v9'])('end at %s', (path) => {
    expect(discoveryAnswer(path, {}, registryWith())).toMatchObject({ code: 404, text: '404 page not found\n' });
  });

  it.each(['/nosuch', '/openapi/v3', '/apis/apps/v1/deployments'])('do not include %s', (path) => {
    expect(discoveryAnswer(path, {}, registryWith())).toBeUndefined();
  });

  it.each(['/api/v2', '/apis/apps/v9', '/version/x'])('miss %s, as what is above it is there', (path) => {
    expect(() => discoveryAnswer(path, {}, registryWith())).toThrow('could not find the requested resource');
  });
});
