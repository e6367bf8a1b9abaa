import { expect } from 'vitest';
import { install } from '../definition.ts';
import { masked, storedMeta } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, invalidValue, nameRules, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-metadata';
const maps = inNamespace('v1/configmaps', namespace);

/** Metadata of a new object, and the one thing that is wrong with it. */
const wrong: readonly (readonly [title: string, metadata: object, refusal: Refusal])[] = [
  [
    'a name in capital letters',
    { name: 'Upper' },
    invalid({ kind: 'ConfigMap' }, 'Upper', [
      ['metadata.name', 'FieldValueInvalid', invalidValue('Upper', nameRules.subdomain)],
    ]),
  ],
  [
    'a name that begins with a dash',
    { name: '-x' },
    invalid({ kind: 'ConfigMap' }, '-x', [
      ['metadata.name', 'FieldValueInvalid', invalidValue('-x', nameRules.subdomain)],
    ]),
  ],
  [
    'a name with a slash',
    { name: 'a/b' },
    invalid({ kind: 'ConfigMap' }, 'a/b', [
      ['metadata.name', 'FieldValueInvalid', invalidValue('a/b', nameRules.subdomain)],
    ]),
  ],
  [
    'a name of more than 253 characters',
    { name: 'n'.repeat(254) },
    invalid({ kind: 'ConfigMap' }, 'n'.repeat(254), [
      ['metadata.name', 'FieldValueInvalid', invalidValue('n'.repeat(254), 'must be no more than 253 characters')],
    ]),
  ],
  [
    'a label key with a space',
    { name: 'x', labels: { 'a b': '1' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.labels', 'FieldValueInvalid', invalidValue('a b', nameRules.qualified)],
    ]),
  ],
  [
    'an empty label key',
    { name: 'x', labels: { '': '1' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.labels', 'FieldValueInvalid', 'Invalid value: "": name part must be non-empty'],
      ['metadata.labels', 'FieldValueInvalid', invalidValue('', nameRules.qualified)],
    ]),
  ],
  [
    'a label key with two slashes',
    { name: 'x', labels: { 'a/b/c': '1' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.labels', 'FieldValueInvalid', invalidValue('a/b/c', nameRules.labelKey)],
    ]),
  ],
  [
    'a label prefix that is no domain',
    { name: 'x', labels: { 'A_/b': '1' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      [
        'metadata.labels',
        'FieldValueInvalid',
        "Invalid value: \"A_/b\": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ]),
  ],
  [
    'a label key of more than 63 characters',
    { name: 'x', labels: { ['k'.repeat(64)]: '1' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.labels', 'FieldValueInvalid', invalidValue('k'.repeat(64), 'name part must be no more than 63 bytes')],
    ]),
  ],
  [
    'a label value with a space',
    { name: 'x', labels: { a: 'b c' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.labels', 'FieldValueInvalid', invalidValue('b c', nameRules.labelValue)],
    ]),
  ],
  [
    'a label value of more than 63 characters',
    { name: 'x', labels: { a: 'v'.repeat(64) } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.labels', 'FieldValueInvalid', invalidValue('v'.repeat(64), 'must be no more than 63 bytes')],
    ]),
  ],
  [
    'an annotation key with a space',
    { name: 'x', annotations: { 'a b': '1' } },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.annotations', 'FieldValueInvalid', invalidValue('a b', nameRules.qualified)],
    ]),
  ],
  [
    'a finalizer without a domain',
    { name: 'x', finalizers: ['hold'] },
    invalid({ kind: 'ConfigMap' }, 'x', [
      [
        'metadata.finalizers[0]',
        'FieldValueInvalid',
        'Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ]),
  ],
  [
    'a finalizer that is no name',
    { name: 'x', finalizers: ['x.io/a b'] },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.finalizers', 'FieldValueInvalid', invalidValue('x.io/a b', nameRules.qualified)],
    ]),
  ],
  [
    'an owner without uid',
    { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'o', uid: '' }] },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.ownerReferences.uid', 'FieldValueInvalid', 'Invalid value: "": must not be empty'],
    ]),
  ],
  [
    'an owner without version, kind and name',
    { name: 'x', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: 'u' }] },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.ownerReferences.apiVersion', 'FieldValueInvalid', 'Invalid value: "": version must not be empty'],
      ['metadata.ownerReferences.kind', 'FieldValueInvalid', 'Invalid value: "": must not be empty'],
      ['metadata.ownerReferences.name', 'FieldValueInvalid', 'Invalid value: "": must not be empty'],
    ]),
  ],
  [
    'an owner of a bad version',
    { name: 'x', ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Secret', name: 'o', uid: 'u' }] },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.ownerReferences.apiVersion', 'FieldValueInvalid', 'Invalid value: "a/b/c": version must not be empty'],
    ]),
  ],
  [
    'an event as owner',
    { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'o', uid: 'u' }] },
    invalid({ kind: 'ConfigMap' }, 'x', [
      [
        'metadata.ownerReferences',
        'FieldValueInvalid',
        'Invalid value: {"apiVersion":"v1","kind":"Event","name":"o","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ]),
  ],
  [
    'two controllers',
    {
      name: 'x',
      ownerReferences: ['o', 'p'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        name,
        uid: name,
        controller: true,
      })),
    },
    invalid({ kind: 'ConfigMap' }, 'x', [
      [
        'metadata.ownerReferences',
        'FieldValueInvalid',
        'Invalid value: [{"apiVersion":"v1","kind":"Secret","name":"o","uid":"o","controller":true},{"apiVersion":"v1","kind":"Secret","name":"p","uid":"p","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Secret/o and Secret/p',
      ],
    ]),
  ],
  [
    'several things at once',
    { name: 'X', labels: { 'a b': 'c d' } },
    invalid({ kind: 'ConfigMap' }, 'X', [
      ['metadata.name', 'FieldValueInvalid', invalidValue('X', nameRules.subdomain)],
      ['metadata.labels', 'FieldValueInvalid', invalidValue('a b', nameRules.qualified)],
      ['metadata.labels', 'FieldValueInvalid', invalidValue('c d', nameRules.labelValue)],
    ]),
  ],
  [
    'labels of the wrong type',
    { name: 'x', labels: { a: 1 } },
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ),
  ],
  [
    'a negative generation',
    { name: 'x', generation: -1 },
    invalid({ kind: 'ConfigMap' }, 'x', [
      ['metadata.generation', 'FieldValueInvalid', 'Invalid value: -1: must be greater than or equal to 0'],
    ]),
  ],
];

conformance('metadata', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  for (const [title, metadata, expected] of wrong) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(maps(), { metadata }), expected);
    });
  }

  check('refuses annotations of more than 256 KiB', async ({ admin }) => {
    expectRefusal(
      await admin.post(maps(), { metadata: { name: 'big', annotations: { a: 'x'.repeat(262_144) } } }),
      invalid({ kind: 'ConfigMap' }, 'big', [
        ['metadata.annotations', 'FieldValueTooLong', 'Too long: may not be more than 262144 bytes'],
      ]),
    );
  });

  check('takes every name that a path may hold, for kinds that allow it', async ({ admin }) => {
    const { status, body } = await admin.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'conf:Any Name+' },
    });
    const found = await admin.get(
      `/apis/rbac.authorization.k8s.io/v1/clusterroles/${encodeURIComponent('conf:Any Name+')}`,
    );

    expect([status, body.metadata.name, found.status]).toEqual([201, 'conf:Any Name+', 200]);
  });

  check('refuses a namespace name that is no DNS label', async ({ admin }) => {
    expectRefusal(
      await admin.post('/api/v1/namespaces', { metadata: { name: 'a.b' } }),
      invalid({ kind: 'Namespace' }, 'a.b', [
        ['metadata.name', 'FieldValueInvalid', 'Invalid value: "a.b": must not contain dots'],
      ]),
    );
  });

  check('completes generateName by five letters and digits', async ({ admin }) => {
    const { status, body } = await admin.post(maps(), { metadata: { generateName: 'made-' } });

    expect(status).toBe(201);
    expect(body.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(body.metadata).toMatchObject({ generateName: 'made-' });
  });

  check('prefers the name to generateName', async ({ admin }) => {
    const { body } = await admin.post(maps(), { metadata: { name: 'chosen', generateName: 'made-' } });

    expect(masked(body.metadata)).toEqual(storedMeta('chosen', namespace, { generateName: 'made-' }));
  });

  check('cuts a long generateName', async ({ admin }) => {
    const { status, body } = await admin.post(maps(), { metadata: { generateName: 'm'.repeat(70) } });

    expect([status, body.metadata.name.length]).toEqual([201, 63]);
  });

  check('refuses a generateName of bad letters', async ({ admin }) => {
    const answer = await admin.post(maps(), { metadata: { generateName: 'Made-' } });

    expect([
      answer.status,
      answer.body.reason,
      (answer.body.details as { causes: readonly object[] }).causes.length,
    ]).toEqual([422, 'Invalid', 2]);
  });

  check('keeps finalizers and owners in the order given', async ({ admin }) => {
    const { uid } = (await admin.create(maps(), configMap('owner'))).metadata;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
    const finalizers = ['x.io/b', 'x.io/a', 'x.io/b'];

    const { body } = await admin.post(maps(), { metadata: { name: 'ordered', finalizers, ownerReferences: [owner] } });
    await admin.patch('merge', maps('ordered'), { metadata: { finalizers: null } });

    expect([body.metadata.finalizers, body.metadata.ownerReferences]).toEqual([finalizers, [owner]]);
  });

  check('leaves out empty labels, annotations and finalizers', async ({ admin }) => {
    const { body } = await admin.post(maps(), {
      metadata: { name: 'empty', labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
    });

    expect(masked(body.metadata)).toEqual(storedMeta('empty', namespace));
  });

  check('of a custom object keeps what is empty', async ({ admin }) => {
    await install(admin, { group: 'metadata.conf.example', kind: 'Plain' });
    const plains = inNamespace('metadata.conf.example/v1/plains', namespace);
    const metadata = { name: 'empty', labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
    const { body } = await admin.post(plains(), { apiVersion: 'metadata.conf.example/v1', kind: 'Plain', metadata });

    expect(masked(body.metadata)).toEqual(storedMeta('empty', namespace, { generation: 1 }));
  });

  check('refuses bad metadata in a replacement and in a patch', async ({ admin }) => {
    await admin.create(maps(), configMap('spoilt'));

    expectRefusal(
      await admin.put(maps('spoilt'), configMap('spoilt', {}, { labels: { 'a b': '1' } })),
      invalid({ kind: 'ConfigMap' }, 'spoilt', [
        ['metadata.labels', 'FieldValueInvalid', invalidValue('a b', nameRules.qualified)],
      ]),
    );
    expectRefusal(
      await admin.patch('merge', maps('spoilt'), { metadata: { labels: { a: 'b c' } } }),
      invalid({ kind: 'ConfigMap' }, 'spoilt', [
        ['metadata.labels', 'FieldValueInvalid', invalidValue('b c', nameRules.labelValue)],
      ]),
    );
  });

  check('counts generations of a Deployment by its spec', async ({ admin }) => {
    const deployments = inNamespace('apps/v1/deployments', namespace);
    const labels = { app: 'g' };
    const spec = {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    const { body: created } = await admin.post(deployments(), { metadata: { name: 'g' }, spec });
    const { body: labelled } = await admin.patch('merge', deployments('g'), { metadata: { labels: { a: '1' } } });
    const { body: scaled } = await admin.patch('merge', deployments('g'), { spec: { replicas: 2 } });
    const { body: reported } = await admin.patch('merge', `${deployments('g')}/status`, {
      status: { observedGeneration: 2 },
    });

    expect([created, labelled, scaled, reported].map(({ metadata }) => metadata.generation)).toEqual([1, 1, 2, 2]);
  });

  check('has no generation for kinds without a spec', async ({ admin }) => {
    const { body } = await admin.post(maps(), configMap('ungenerated'));

    expect(body.metadata.generation).toBeUndefined();
  });
});
