import { expect } from 'vitest';
import { secret } from '../objects.ts';
import { inNamespace, pathOf } from '../paths.ts';
import { badRequest, expectRefusal, invalid, type Refusal, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-versions';
const secrets = inNamespace('v1/secrets', namespace);

conformance('resource versions of get and list', ({ check, prepare }) => {
  let first = '';
  let second = '';
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    first = (await admin.create(secrets(), secret('a', { v: '1' }))).metadata.resourceVersion;
    await admin.put(secrets('a'), secret('a', { v: '2' }));
    second = (await admin.create(secrets(), secret('b', { v: '1' }))).metadata.resourceVersion;
  });
  const listed = (body: { items?: readonly { metadata: { name: string; labels?: object } }[] }) =>
    body.items?.map(({ metadata }) => [metadata.name, metadata.labels]);
  const now = [
    ['a', { v: '2' }],
    ['b', { v: '1' }],
  ];

  check('a list without a version shows the latest state and tells its version', async ({ admin, createNamespace }) => {
    await createNamespace('conf-versions-latest');
    const path = pathOf('v1/secrets', { namespace: 'conf-versions-latest' });
    const created = await admin.create(path, secret('latest', { v: '1' }));

    const { body } = await admin.get(path);

    expect(listed(body)).toEqual([['latest', { v: '1' }]]);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(created.metadata.resourceVersion));
  });

  check('a list not older than a version shows at least that', async ({ admin }) => {
    const { status, body } = await admin.get(
      `${secrets()}?resourceVersion=${second}&resourceVersionMatch=NotOlderThan`,
    );

    expect([status, listed(body)]).toEqual([200, now]);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(second));
  });

  check('a list from a version without match is one not older than it', async ({ admin }) => {
    const { status, body } = await admin.get(`${secrets()}?resourceVersion=${first}`);

    expect([status, listed(body)]).toEqual([200, now]);
  });

  check('a list from version 0 shows some state', async ({ admin }) => {
    const { status, body } = await admin.get(`${secrets()}?resourceVersion=0`);

    expect([status, body.kind]).toEqual([200, 'SecretList']);
  });

  check('a list at an exact version shows the state of that moment', async ({ admin }) => {
    const { status, body } = await admin.get(`${secrets()}?resourceVersion=${first}&resourceVersionMatch=Exact`);

    expect([status, listed(body), body.metadata]).toEqual([200, [['a', { v: '1' }]], { resourceVersion: first }]);
  });

  check('a page at an exact version shows the state of that moment', async ({ admin }) => {
    const { status, body } = await admin.get(
      `${secrets()}?limit=1&resourceVersion=${second}&resourceVersionMatch=Exact`,
    );

    expect([status, listed(body), body.metadata.resourceVersion]).toEqual([200, [['a', { v: '2' }]], second]);
  });

  const tooLarge = refusal(
    504,
    'Timeout',
    expect.stringMatching(/^Timeout: Too large resource version: 999999999, current: \d+$/) as string,
    { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  );
  const refusals: readonly (readonly [title: string, query: string, refusal: Refusal])[] = [
    [
      'a match without a version',
      'resourceVersionMatch=Exact',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueForbidden',
          'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
        ],
      ]),
    ],
    [
      'an exact version 0',
      'resourceVersion=0&resourceVersionMatch=Exact',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueForbidden',
          'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
        ],
      ]),
    ],
    [
      'an unknown match',
      'resourceVersion=1&resourceVersionMatch=Nearly',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueNotSupported',
          'Unsupported value: "Nearly": supported values: "Exact", "NotOlderThan", ""',
        ],
      ]),
    ],
    [
      'a version that is no number',
      'resourceVersion=abc',
      badRequest(
        'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      ),
    ],
    [
      'a match beside a continue token',
      'resourceVersionMatch=Exact&resourceVersion=1&continue=abc',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueForbidden',
          'Forbidden: resourceVersionMatch is forbidden when continue is provided',
        ],
      ]),
    ],
    [
      'initial events in a list',
      'sendInitialEvents=true',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        ['sendInitialEvents', 'FieldValueForbidden', 'Forbidden: sendInitialEvents is forbidden for list'],
      ]),
    ],
  ];
  for (const [title, query, expected] of refusals) {
    check(`refuses to list with ${title}`, async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?${query}`), expected);
    });
  }

  check(
    'refuses a version from the future after some seconds',
    async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?resourceVersion=999999999`), tooLarge);
    },
    { concurrent: true },
  );

  check(
    'refuses an exact version from the future',
    async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?resourceVersion=999999999&resourceVersionMatch=Exact`), tooLarge);
    },
    { concurrent: true },
  );

  check(
    'refuses to get an object not older than a version from the future',
    async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets('a')}?resourceVersion=999999999`), tooLarge);
    },
    { concurrent: true },
  );

  check('gets an object not older than a version', async ({ admin }) => {
    const { status, body } = await admin.get(`${secrets('a')}?resourceVersion=${first}`);

    expect([status, body.metadata.labels]).toEqual([200, { v: '2' }]);
  });

  check('refuses to get an object of a version that is no number', async ({ admin }) => {
    expectRefusal(
      await admin.get(`${secrets('a')}?resourceVersion=abc`),
      refusal(
        500,
        undefined,
        'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      ),
    );
  });
});
