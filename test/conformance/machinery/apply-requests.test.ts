import { expect } from 'vitest';
import { masked } from '../mask.ts';
import { configMap } from '../objects.ts';
import { inNamespace, pathOf } from '../paths.ts';
import {
  badRequest,
  conflict,
  expectRefusal,
  invalid,
  methodNotAllowed,
  modified,
  notFound,
  type Refusal,
  refusal,
} from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-apply-requests';
const maps = inNamespace('v1/configmaps', namespace);
const type = 'application/apply-patch+yaml';

conformance('server-side apply: requests', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await admin.create(maps(), configMap('there', { a: '1' }));
  });

  const refusals: readonly (readonly [title: string, path: string, body: unknown, refusal: Refusal])[] = [
    [
      'no manager',
      maps('new'),
      configMap('new'),
      invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        ['fieldManager', 'FieldValueRequired', 'Required value: is required for apply patch'],
      ]),
    ],
    [
      'a manager that is too long',
      `${maps('new')}?fieldManager=${'m'.repeat(129)}`,
      configMap('new'),
      invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        ['fieldManager', 'FieldValueTooLong', 'Too long: may not be more than 128 bytes'],
      ]),
    ],
    [
      'a manager that cannot be printed',
      `${maps('new')}?fieldManager=a%00b`,
      configMap('new'),
      invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        ['fieldManager', 'FieldValueInvalid', 'Invalid value: "a\\x00b": invalid character U+0000 (at position 1)'],
      ]),
    ],
    [
      'a body without apiVersion and kind',
      `${maps('new')}?fieldManager=one`,
      { metadata: { name: 'new' } },
      badRequest('invalid object type: /, Kind='),
    ],
    [
      'a body of another kind',
      `${maps('new')}?fieldManager=one`,
      { ...configMap('new'), kind: 'Secret' },
      badRequest('invalid object type: /v1, Kind=Secret'),
    ],
    [
      'a body of another version',
      `${maps('new')}?fieldManager=one`,
      { ...configMap('new'), apiVersion: 'v2' },
      badRequest('invalid object type: /v2, Kind=ConfigMap'),
    ],
    [
      'another name than that of the path',
      `${maps('new')}?fieldManager=one`,
      configMap('old'),
      badRequest('the name of the object (old) does not match the name on the URL (new)'),
    ],
    [
      'another namespace than that of the path',
      `${maps('new')}?fieldManager=one`,
      configMap('new', {}, { namespace: 'default' }),
      badRequest('the namespace of the provided object does not match the namespace sent on the request'),
    ],
    [
      'managed fields in the body',
      `${maps('new')}?fieldManager=one`,
      configMap('new', {}, { managedFields: [{ manager: 'x' }] }),
      badRequest('metadata.managedFields must be nil'),
    ],
    [
      'a uid for an object that is not there',
      `${maps('new')}?fieldManager=one`,
      configMap('new', {}, { uid: 'x' }),
      conflict(
        'configmaps',
        'new',
        'uid mismatch: the provided object specified uid x, and no existing object was found',
      ),
    ],
    [
      'a stale resource version',
      `${maps('there')}?fieldManager=one`,
      configMap('there', {}, { resourceVersion: '1' }),
      conflict('configmaps', 'there', modified),
    ],
    [
      'a list',
      `${maps('new')}?fieldManager=one`,
      [],
      badRequest(
        'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
      ),
    ],
    ['an empty body', `${maps('new')}?fieldManager=one`, '', badRequest('invalid object type: /, Kind=')],
    [
      'broken YAML',
      `${maps('new')}?fieldManager=one`,
      'a: [1',
      badRequest("error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'"),
    ],
    [
      'a value of the wrong type',
      `${maps('new')}?fieldManager=one`,
      configMap('new', { a: 1 }),
      refusal(
        500,
        undefined,
        'failed to create typed patch object (/new; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
      ),
    ],
    [
      'a field that the kind does not have',
      `${maps('new')}?fieldManager=one`,
      { ...configMap('new'), unicorn: 1 },
      refusal(
        500,
        undefined,
        'failed to create typed patch object (/new; /v1, Kind=ConfigMap): .unicorn: field not declared in schema',
      ),
    ],
  ];
  for (const [title, path, body, expected] of refusals) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.send('PATCH', path, { body, contentType: type }), expected);
    });
  }

  check('refuses force for other patches', async ({ admin }) => {
    expectRefusal(
      await admin.patch('merge', `${maps('there')}?force=true`, {}),
      invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        ['force', 'FieldValueForbidden', 'Forbidden: may not be specified for non-apply patch'],
      ]),
    );
  });

  check('takes YAML', async ({ admin }) => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata:\n  a: |\n    one\n    two\n';
    const { status, body: applied } = await admin.send('PATCH', `${maps('yaml')}?fieldManager=one`, {
      body,
      contentType: type,
    });

    expect([status, applied.data]).toEqual([201, { a: 'one\ntwo\n' }]);
  });

  check('refuses a body without a name, though the path has one', async ({ admin }) => {
    const answer = await admin.apply(maps('nameless'), 'one', { apiVersion: 'v1', kind: 'ConfigMap' });

    expectRefusal(
      answer,
      badRequest('the name of the object (nameless based on URL) was undeterminable: name must be provided'),
    );
  });

  check('does not mind a resource version when it creates', async ({ admin }) => {
    const sent = configMap('versioned', { a: '1' }, { resourceVersion: '1' });
    const { status } = await admin.apply(maps('versioned'), 'one', sent);

    expect(status).toBe(201);
  });

  check('takes the present resource version', async ({ admin }) => {
    const { metadata } = await admin.create(maps(), configMap('present'));
    const { resourceVersion } = metadata;
    const { status } = await admin.apply(maps('present'), 'one', configMap('present', { a: '1' }, { resourceVersion }));

    expect(status).toBe(200);
  });

  check('refuses to apply to a collection', async ({ admin }) => {
    expectRefusal(await admin.apply(maps(), 'one', configMap('new')), methodNotAllowed);
  });

  check('refuses to apply in a namespace that does not exist', async ({ admin }) => {
    const path = pathOf('v1/configmaps', { namespace: 'conf-nowhere', name: 'x' });

    expectRefusal(await admin.apply(path, 'one', configMap('x')), notFound('namespaces', 'conf-nowhere'));
  });

  check('stores nothing under dry run', async ({ admin }) => {
    const { status, body } = await admin.apply(`${maps('dry')}?dryRun=All`, 'one', configMap('dry', { a: '1' }));

    expect([status, masked(body)]).toEqual([
      201,
      {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'dry', namespace, uid: '<uid>', creationTimestamp: '<time>' },
        data: { a: '1' },
      },
    ]);
    expect((await admin.get(maps('dry'))).status).toBe(404);
  });

  check('refuses a dry run that is not of all stages', async ({ admin }) => {
    expectRefusal(
      await admin.apply(`${maps('dry')}?dryRun=Some`, 'one', configMap('dry')),
      invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [
        ['dryRun', 'FieldValueNotSupported', 'Unsupported value: ["Some"]: supported values: "All"'],
      ]),
    );
  });
});
