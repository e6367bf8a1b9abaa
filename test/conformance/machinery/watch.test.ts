import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { install } from '../definition.ts';
import { masked } from '../mask.ts';
import { secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, noSuchPath, type Refusal, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';
import type { WatchEvent } from '../watch-stream.ts';

/** What happened to whom. */
const brief = (events: readonly WatchEvent[]) => events.map(({ type, object }) => `${type} ${object.metadata.name}`);

conformance('watch', ({ check, prepare }) => {
  const namespace = 'conf-watch';
  const secrets = inNamespace('v1/secrets', namespace);
  prepare((server) => server.createNamespace(namespace));

  check('from a version tells every later change of the namespace, in order', async ({ admin }) => {
    const { body: list } = await admin.get(secrets());
    const watch = await admin.watch(
      `${secrets()}?resourceVersion=${list.metadata.resourceVersion}&fieldSelector=metadata.name=life`,
    );
    const added = await admin.create(secrets(), secret('life'));
    const { body: modified } = await admin.patch('merge', secrets('life'), { metadata: { labels: { a: '1' } } });
    await admin.delete(secrets('life'));

    const events = await watch.take(3);
    watch.close();

    expect(watch.status).toBe(200);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events[0]?.object).toEqual(added);
    expect(events[1]?.object).toEqual(modified);
    const { resourceVersion, ...deleted } = events[2]?.object.metadata ?? { resourceVersion: '' };
    expect({ ...deleted, resourceVersion: modified.metadata.resourceVersion }).toEqual(modified.metadata);
    expect(Number(resourceVersion)).toBeGreaterThan(Number(modified.metadata.resourceVersion));
  });

  check('comes as a stream of JSON', async ({ admin }) => {
    const watch = await admin.watch(secrets());
    watch.close();

    expect([watch.headers['content-type'], watch.headers['transfer-encoding']]).toEqual([
      'application/json',
      'chunked',
    ]);
  });

  check('without a version begins with what is there', async ({ admin }) => {
    await admin.create(secrets(), secret('initial-1', { check: 'initial' }));
    await admin.create(secrets(), secret('initial-2', { check: 'initial' }));
    const watch = await admin.watch(`${secrets()}?labelSelector=check=initial`);
    await watch.take(2);
    await admin.create(secrets(), secret('initial-0', { check: 'initial' }));

    const events = await watch.take(3);
    watch.close();

    expect(brief(events)).toEqual(['ADDED initial-1', 'ADDED initial-2', 'ADDED initial-0']);
  });

  check('from version 0 begins with what is there', async ({ admin }) => {
    await admin.create(secrets(), secret('zero', { check: 'zero' }));
    const watch = await admin.watch(`${secrets()}?resourceVersion=0&labelSelector=check=zero`);

    expect(brief(await watch.take(1))).toEqual(['ADDED zero']);
    watch.close();
  });

  check('tells when an object begins and ceases to match the selector', async ({ admin }) => {
    await admin.create(secrets(), secret('moving', { check: 'out' }));
    const { body: list } = await admin.get(secrets());
    const watch = await admin.watch(
      `${secrets()}?labelSelector=check=in&resourceVersion=${list.metadata.resourceVersion}`,
    );
    const relabel = (check: string | null, a: string) =>
      admin.patch('merge', secrets('moving'), { metadata: { labels: { check, a } } });
    await relabel('in', '1');
    await relabel('in', '2');
    const left = await relabel('out', '3');
    await relabel('out', '4');
    await relabel('in', '5');
    await admin.delete(secrets('moving'));

    const events = await watch.take(5);
    watch.close();

    expect(events.map(({ type, object }) => [type, object.metadata.labels])).toEqual([
      ['ADDED', { a: '1', check: 'in' }],
      ['MODIFIED', { a: '2', check: 'in' }],
      ['DELETED', { a: '2', check: 'in' }],
      ['ADDED', { a: '5', check: 'in' }],
      ['DELETED', { a: '5', check: 'in' }],
    ]);
    expect(events[2]?.object.metadata.resourceVersion).toBe(left.body.metadata.resourceVersion);
  });

  check('on the path of one object is a plain get', async ({ admin }) => {
    const one = await admin.create(secrets(), secret('one'));

    const { status, body } = await admin.get(`${secrets('one')}?watch=1`);

    expect([status, body]).toEqual([200, one]);
  });

  check('does not tell of other namespaces', async ({ admin, createNamespace }) => {
    await createNamespace('conf-watch-other');
    const other = inNamespace('v1/secrets', 'conf-watch-other');
    const { metadata } = await admin.create(other(), secret('elsewhere'));
    const watch = await admin.watch(`${secrets()}?resourceVersion=${metadata.resourceVersion}`);
    await admin.delete(other('elsewhere'));
    await admin.create(secrets(), secret('here'));

    expect(brief(await watch.take(1))).toEqual(['ADDED here']);
    watch.close();
  });

  check('of all namespaces tells of each', async ({ admin, createNamespace }) => {
    await createNamespace('conf-watch-all');
    const { body: list } = await admin.get('/api/v1/secrets');
    const watch = await admin.watch(
      `/api/v1/secrets?labelSelector=check=all&resourceVersion=${list.metadata.resourceVersion}`,
    );
    await admin.create(secrets(), secret('all-1', { check: 'all' }));
    await admin.create(inNamespace('v1/secrets', 'conf-watch-all')(), secret('all-2', { check: 'all' }));

    expect(brief(await watch.take(2))).toEqual(['ADDED all-1', 'ADDED all-2']);
    watch.close();
  });

  check(
    'ends after timeoutSeconds',
    async ({ admin }) => {
      const watch = await admin.watch(`${secrets()}?timeoutSeconds=1&fieldSelector=metadata.name=nothing`);

      await watch.ended();

      expect([watch.status, watch.text()]).toEqual([200, '']);
    },
    { concurrent: true },
  );

  check(
    'sends bookmarks to those who want them, the last before its end',
    async ({ admin }) => {
      const { metadata } = await admin.create(secrets(), secret('marked'));
      const watch = await admin.watch(
        `${secrets()}?allowWatchBookmarks=true&timeoutSeconds=4&resourceVersion=${metadata.resourceVersion}&labelSelector=check=none`,
      );
      const other = await admin.create(secrets(), secret('not-selected'));

      const [bookmark] = await watch.take(1);
      watch.close();

      expect(masked(bookmark)).toEqual({
        type: 'BOOKMARK',
        object: { kind: 'Secret', apiVersion: 'v1', metadata: { resourceVersion: '<version>' } },
      });
      expect(Number(bookmark?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
        Number(other.metadata.resourceVersion),
      );
    },
    { concurrent: true },
  );

  check('that wants bookmarks gets one after the initial events, even without asking for those', async ({ admin }) => {
    await admin.create(secrets(), secret('implied', { check: 'implied' }));
    const watch = await admin.watch(`${secrets()}?allowWatchBookmarks=true&labelSelector=check=implied`);

    const events = await watch.take(2);
    watch.close();

    expect(events.map(({ type, object }) => [type, object.metadata.annotations])).toEqual([
      ['ADDED', undefined],
      ['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }],
    ]);
  });

  check('with initial events marks where they end', async ({ admin }) => {
    await admin.create(secrets(), secret('stream-1', { check: 'stream' }));
    await admin.create(secrets(), secret('stream-2', { check: 'stream' }));
    const query =
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=check=stream';
    const watch = await admin.watch(`${secrets()}?${query}`);

    const events = await watch.take(3);
    watch.close();

    expect(brief(events.slice(0, 2))).toEqual(['ADDED stream-1', 'ADDED stream-2']);
    expect(masked(events[2])).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { resourceVersion: '<version>', annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
  });

  check('with initial events from a version is not older than that', async ({ admin }) => {
    const { metadata } = await admin.create(secrets(), secret('fresh', { check: 'fresh' }));
    const query =
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=check=fresh';
    const watch = await admin.watch(`${secrets()}?${query}&resourceVersion=${metadata.resourceVersion}`);

    const events = await watch.take(2);
    watch.close();

    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(Number(events[1]?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
  });

  check('that declines initial events begins with the next change', async ({ admin }) => {
    await admin.create(secrets(), secret('late-1', { check: 'late' }));
    const watch = await admin.watch(
      `${secrets()}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan&labelSelector=check=late`,
    );
    await admin.create(secrets(), secret('late-2', { check: 'late' }));

    expect(brief(await watch.take(1))).toEqual(['ADDED late-2']);
    watch.close();
  });

  const refusals: readonly (readonly [title: string, query: string, refusal: Refusal])[] = [
    [
      'initial events without a match',
      'sendInitialEvents=true',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueForbidden',
          'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        ],
      ]),
    ],
    [
      'initial events with an exact match',
      'sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueForbidden',
          'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        ],
        [
          'resourceVersionMatch',
          'FieldValueNotSupported',
          'Unsupported value: "Exact": supported values: "NotOlderThan"',
        ],
      ]),
    ],
    [
      'a match without initial events',
      'resourceVersionMatch=NotOlderThan&resourceVersion=1',
      invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
        [
          'resourceVersionMatch',
          'FieldValueForbidden',
          'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ],
      ]),
    ],
    ['a bad selector', 'labelSelector=a%3Db%3Dc', badRequest("found '=', expected: ',' or 'end of string'")],
    [
      'a version that is no number',
      'resourceVersion=abc',
      refusal(
        500,
        undefined,
        'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
      ),
    ],
    ['an unknown field', 'fieldSelector=data.a%3D1', badRequest('field label not supported: data.a')],
  ];
  for (const [title, query, expected] of refusals) {
    check(`is refused for ${title}`, async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?watch=1&${query}`), expected);
    });
  }

  check('from a version whose history is gone ends with an error', async ({ admin }) => {
    await install(admin, { group: 'watch.conf.example', kind: 'Young' });
    // The storage of a new kind may still be filling its cache.
    const watch = await eventually(
      async () => {
        const opened = await admin.watch('/apis/watch.conf.example/v1/youngs?resourceVersion=1');
        return opened.status === 200 && opened;
      },
      { what: 'the kind can be watched' },
    );

    await watch.ended();

    expect(watch.events).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/) as string,
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
  });

  check('of a resource that is not served is refused', async ({ admin }) => {
    expectRefusal(await admin.get(`/api/v1/namespaces/${namespace}/unicorns?watch=1`), noSuchPath);
  });

  check(
    'takes watch=true and watch=1 alike, and not watch=0',
    async ({ admin }) => {
      const { status, body } = await admin.get(`${secrets()}?watch=0`);
      const asTrue = await admin.get(`${secrets()}?watch=true&timeoutSeconds=1&labelSelector=check=none`);

      expect([status, body.kind, asTrue.status, asTrue.text]).toEqual([200, 'SecretList', 200, '']);
    },
    { concurrent: true },
  );

  check(
    'of a namespace that does not exist is open',
    async ({ admin }) => {
      const watch = await admin.watch('/api/v1/namespaces/conf-watch-nowhere/secrets?timeoutSeconds=1');
      await watch.ended();

      expect([watch.status, watch.events]).toEqual([200, []]);
    },
    { concurrent: true },
  );
});
