import { expect } from 'vitest';
import type { Received } from '../client.ts';
import { install } from '../definition.ts';
import { masked, storedMeta } from '../mask.ts';
import { configMap, secret } from '../objects.ts';
import { inCluster, inNamespace, pathOf } from '../paths.ts';
import { badRequest, expectRefusal, notFound } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-table';
const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const maps = inNamespace('v1/configmaps', namespace);
const secrets = inNamespace('v1/secrets', namespace);
const group = 'table.conf.example';

interface Table {
  readonly columnDefinitions: readonly {
    readonly name: string;
    readonly type: string;
    readonly format: string;
    readonly priority: number;
    readonly description: string;
  }[];
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object?: Received;
    readonly conditions?: unknown;
  }[];
}
const tableOf = (body: Received) => body as unknown as Table;
const columnsOf = (body: Received) =>
  tableOf(body).columnDefinitions.map(({ name, type, format, priority }) => [name, type, format, priority]);
const cellsOf = (body: Received) =>
  tableOf(body).rows.map(({ cells }) => cells.map((cell) => (/^\d+(m?s|m)$/.test(String(cell)) ? '<age>' : cell)));

conformance('tables and partial objects', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await admin.create(maps(), configMap('shown', { a: '1', b: '2' }));
    await admin.create(secrets(), { metadata: { name: 'one' }, data: { a: 'MQ==' } });
    await admin.create(secrets(), { metadata: { name: 'two' } });
  });

  check('a list comes as a table with metadata of each object', async ({ admin }) => {
    const { status, headers, body } = await admin.get(secrets(), { accept });

    expect([status, headers['content-type'], body.kind, body.apiVersion, masked(body.metadata)]).toEqual([
      200,
      'application/json',
      'Table',
      'meta.k8s.io/v1',
      { resourceVersion: '<version>' },
    ]);
    expect(columnsOf(body)).toEqual([
      ['Name', 'string', 'name', 0],
      ['Type', 'string', '', 0],
      ['Data', 'string', '', 0],
      ['Age', 'string', '', 0],
    ]);
    expect(cellsOf(body)).toEqual([
      ['one', 'Opaque', 1, '<age>'],
      ['two', 'Opaque', 0, '<age>'],
    ]);
    expect(masked(tableOf(body).rows[0]?.object)).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: storedMeta('one', namespace),
    });
  });

  check('an object comes as a table of one row', async ({ admin }) => {
    const { body } = await admin.get(maps('shown'), { accept });

    expect([columnsOf(body), cellsOf(body)]).toEqual([
      [
        ['Name', 'string', 'name', 0],
        ['Data', 'string', '', 0],
        ['Age', 'string', '', 0],
      ],
      [['shown', 2, '<age>']],
    ]);
    expect(body.metadata).toEqual({ resourceVersion: (await admin.get(maps('shown'))).body.metadata.resourceVersion });
  });

  check('rows hold the object on demand, or nothing', async ({ admin }) => {
    const objects = async (includeObject: string) =>
      tableOf((await admin.get(`${secrets()}?includeObject=${includeObject}`, { accept })).body).rows.map(
        ({ object }) => object && masked([object.kind, object.apiVersion, object.data]),
      );

    expect(await objects('Object')).toEqual([
      ['Secret', 'v1', { a: 'MQ==' }],
      ['Secret', 'v1', undefined],
    ]);
    expect(await objects('Metadata')).toEqual([
      ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined],
      ['PartialObjectMetadata', 'meta.k8s.io/v1', undefined],
    ]);
    expect(await objects('None')).toEqual([null, null]);
    expectRefusal(
      await admin.get(`${secrets()}?includeObject=Some`, { accept }),
      badRequest(
        "Unable to convert to Table as requested: includeObject: Invalid value: \"Some\": must be 'Metadata', 'Object', 'None', or empty",
      ),
    );
  });

  check('an empty list still has columns', async ({ admin }) => {
    const { body } = await admin.get(pathOf('v1/secrets', { namespace: 'conf-nowhere' }), { accept });

    expect([columnsOf(body).length, tableOf(body).rows]).toEqual([4, []]);
  });

  check('pages of a table go on', async ({ admin }) => {
    const { body } = await admin.get(`${secrets()}?limit=1`, { accept });
    const { body: next } = await admin.get(`${secrets()}?limit=1&continue=${body.metadata.continue}`, { accept });

    expect([cellsOf(body), body.metadata.remainingItemCount, cellsOf(next)]).toEqual([
      [['one', 'Opaque', 1, '<age>']],
      1,
      [['two', 'Opaque', 0, '<age>']],
    ]);
  });

  check('an error is no table', async ({ admin }) => {
    expectRefusal(await admin.get(maps('absent'), { accept }), notFound('configmaps', 'absent'));
  });

  check('the first acceptable form wins', async ({ admin }) => {
    const kubectl = `${accept},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`;

    expect((await admin.get(maps(), { accept: kubectl })).body.kind).toBe('Table');
  });

  check('what was created and deleted comes as a table too', async ({ admin }) => {
    const created = await admin.post(secrets(), secret('temporary'), { accept });
    const deleted = await admin.delete(secrets('temporary'), undefined, { accept });

    expect([created.status, created.body.kind, deleted.status, deleted.body.kind]).toEqual([
      201,
      'Table',
      200,
      'Status',
    ]);
  });

  const columns: readonly (readonly [resource: string, path: string, columns: readonly string[]])[] = [
    ['namespaces', '/api/v1/namespaces', ['Name', 'Status', 'Age']],
    ['serviceaccounts', '/api/v1/serviceaccounts', ['Name', 'Age']],
    [
      'events',
      '/api/v1/events',
      [
        'Last Seen',
        'Type',
        'Reason',
        'Object',
        'Subobject (wide)',
        'Source (wide)',
        'Message',
        'First Seen (wide)',
        'Count (wide)',
        'Name (wide)',
      ],
    ],
    [
      'pods',
      '/api/v1/pods',
      [
        'Name',
        'Ready',
        'Status',
        'Restarts',
        'Age',
        'IP (wide)',
        'Node (wide)',
        'Nominated Node (wide)',
        'Readiness Gates (wide)',
      ],
    ],
    [
      'deployments',
      '/apis/apps/v1/deployments',
      ['Name', 'Ready', 'Up-to-date', 'Available', 'Age', 'Containers (wide)', 'Images (wide)', 'Selector (wide)'],
    ],
    ['roles', '/apis/rbac.authorization.k8s.io/v1/roles', ['Name', 'Created At']],
    ['clusterroles', '/apis/rbac.authorization.k8s.io/v1/clusterroles', ['Name', 'Created At']],
    [
      'rolebindings',
      '/apis/rbac.authorization.k8s.io/v1/rolebindings',
      ['Name', 'Role', 'Age', 'Users (wide)', 'Groups (wide)', 'ServiceAccounts (wide)'],
    ],
    [
      'clusterrolebindings',
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      ['Name', 'Role', 'Age', 'Users (wide)', 'Groups (wide)', 'ServiceAccounts (wide)'],
    ],
    ['leases', '/apis/coordination.k8s.io/v1/leases', ['Name', 'Holder', 'Age']],
    ['customresourcedefinitions', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ['Name', 'Created At']],
    ['apiservices', '/apis/apiregistration.k8s.io/v1/apiservices', ['Name', 'Service', 'Available', 'Age']],
  ];
  for (const [resource, path, expected] of columns) {
    check(`${resource} have their columns`, async ({ admin }) => {
      const { body } = await admin.get(`${path}?limit=1`, { accept });

      expect(
        tableOf(body).columnDefinitions.map(({ name, priority }) => `${name}${priority > 0 ? ' (wide)' : ''}`),
      ).toEqual(expected);
    });
  }

  check('a namespace shows its phase', async ({ admin }) => {
    const { body } = await admin.get(`/api/v1/namespaces/${namespace}`, { accept });

    expect(cellsOf(body)).toEqual([['conf-table', 'Active', '<age>']]);
  });

  check('a cluster role binding shows whom it binds', async ({ admin }) => {
    const bindings = inCluster('rbac.authorization.k8s.io/v1/clusterrolebindings');
    const subjects = [
      { kind: 'User', name: 'conf-shown-user', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'Group', name: 'conf-shown-group', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'ServiceAccount', name: 'robot', namespace: 'x' },
    ];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'conf-table-none' };
    await admin.create(bindings(), { metadata: { name: 'conf-table' }, roleRef, subjects });
    const { body } = await admin.get(bindings('conf-table'), { accept });

    expect(cellsOf(body)).toEqual([
      ['conf-table', 'ClusterRole/conf-table-none', '<age>', 'conf-shown-user', 'conf-shown-group', 'x/robot'],
    ]);
  });

  check('a custom kind shows its name and age', async ({ admin }) => {
    await install(admin, { group, kind: 'Plain' });
    const plains = inNamespace(`${group}/v1/plains`, namespace);
    await admin.create(plains(), { apiVersion: `${group}/v1`, kind: 'Plain', metadata: { name: 'p' } });
    const { body } = await admin.get(plains(), { accept });

    expect([columnsOf(body), cellsOf(body)]).toEqual([
      [
        ['Name', 'string', 'name', 0],
        ['Age', 'date', '', 0],
      ],
      [['p', '<age>']],
    ]);
  });

  check('a custom kind shows the columns it declares', async ({ admin }) => {
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How big.' },
      { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
      { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
      { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', format: 'float' },
      { name: 'Map', type: 'string', jsonPath: '.spec.map' },
    ];
    await install(admin, { group, kind: 'Shown', version: { additionalPrinterColumns } });
    const showns = inNamespace(`${group}/v1/showns`, namespace);
    const spec = { size: 3, color: 'red', tags: ['a', 'b'], on: true, ratio: 0.5, map: { a: 1 } };
    const status = {
      conditions: [
        { type: 'Synced', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    };
    await admin.create(showns(), {
      apiVersion: `${group}/v1`,
      kind: 'Shown',
      metadata: { name: 'full' },
      spec,
      status,
    });
    await admin.create(showns(), { apiVersion: `${group}/v1`, kind: 'Shown', metadata: { name: 'none' } });
    await admin.create(showns(), {
      apiVersion: `${group}/v1`,
      kind: 'Shown',
      metadata: { name: 'odd' },
      spec: { size: 'x', on: 'maybe', ratio: 1 },
    });
    const { body } = await admin.get(showns(), { accept });

    expect([columnsOf(body), cellsOf(body)]).toEqual([
      [
        ['Name', 'string', 'name', 0],
        ['Size', 'integer', '', 0],
        ['Color', 'string', '', 1],
        ['Ready', 'string', '', 0],
        ['Tags', 'string', '', 0],
        ['Born', 'date', '', 0],
        ['On', 'boolean', '', 0],
        ['Ratio', 'number', 'float', 0],
        ['Map', 'string', '', 0],
      ],
      [
        ['full', 3, 'red', 'True', '["a","b"]', '<age>', true, 0.5, '{"a":1}'],
        ['none', null, null, null, null, '<age>', null, null, null],
        ['odd', null, null, null, null, '<age>', null, 1, null],
      ],
    ]);
    const descriptions = tableOf(body).columnDefinitions.map(({ description }) => description);
    expect(descriptions.slice(1, 3)).toEqual([
      'How big.',
      'Custom resource definition column (in JSONPath format): .spec.color',
    ]);
  });

  check('an object comes as its metadata alone', async ({ admin }) => {
    const { status, headers, body } = await admin.get(maps('shown'), { accept: partial });

    expect([status, headers['content-type'], masked(body)]).toEqual([
      200,
      'application/json',
      { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: storedMeta('shown', namespace) },
    ]);
  });

  check('a list comes as metadata alone', async ({ admin }) => {
    const { status, headers, body } = await admin.get(secrets(), { accept: partialList });

    expect([status, headers['content-type'], masked(body)]).toEqual([
      200,
      'application/json',
      {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: '<version>' },
        items: [
          { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: storedMeta('one', namespace) },
          { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: storedMeta('two', namespace) },
        ],
      },
    ]);
  });

  check('a list does not come as one partial object, nor an object as a partial list', async ({ admin }) => {
    const list = await admin.get(secrets(), { accept: partial });
    const object = await admin.get(maps('shown'), { accept: partialList });

    expect([
      list.status,
      list.body.kind ?? list.text,
      list.body.message,
      object.status,
      object.body.kind,
      object.body.message,
    ]).toEqual([
      406,
      'Status',
      'you requested PartialObjectMetadata, but the requested object is a list (*core.SecretList)',
      406,
      'Status',
      'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    ]);
  });

  check('a custom object comes as metadata alone', async ({ admin }) => {
    const { status, body } = await admin.get(inNamespace(`${group}/v1/plains`, namespace)('p'), { accept: partial });

    expect([status, masked(body)]).toEqual([
      200,
      {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: storedMeta('p', namespace, { generation: 1 }),
      },
    ]);
  });
});
