import { expect } from 'vitest';
import { masked, storedMeta } from '../mask.ts';
import { secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { conformance } from '../suite.ts';

conformance('forms of a watch', ({ check, prepare }) => {
  const namespace = 'conf-watch-forms';
  const secrets = inNamespace('v1/secrets', namespace);
  prepare((server) => server.createNamespace(namespace));

  for (const [watch, isStream] of [
    ['yes', true],
    ['', true],
    ['FALSE', false],
    ['0', false],
  ] as const) {
    check(
      `is ${isStream ? 'open' : 'a list'} for watch=${watch}`,
      async ({ admin }) => {
        const { status, body } = await admin.get(
          `${secrets()}?watch=${watch}&timeoutSeconds=1&labelSelector=a=nothing`,
        );

        expect([status, body.kind]).toEqual([200, isStream ? undefined : 'SecretList']);
      },
      { concurrent: true },
    );
  }

  check('sends empty objects in bookmarks, as they are shown of their kind', async ({ admin }) => {
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const bookmarkOf = async (path: string) => {
      const watch = await admin.watch(`${path}?labelSelector=check=nothing&${query}`);
      const [event] = await watch.take(1);
      watch.close();
      return masked(event);
    };
    const metadata = { resourceVersion: '<version>', annotations: { 'k8s.io/initial-events-end': 'true' } };

    expect(await bookmarkOf('/api/v1/namespaces')).toEqual({
      type: 'BOOKMARK',
      object: { kind: 'Namespace', apiVersion: 'v1', metadata, spec: {}, status: {} },
    });
    expect(await bookmarkOf(inNamespace('events.k8s.io/v1/events', namespace)())).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Event',
        apiVersion: 'events.k8s.io/v1',
        metadata,
        eventTime: null,
        regarding: {},
        deprecatedSource: {},
        deprecatedFirstTimestamp: null,
        deprecatedLastTimestamp: null,
      },
    });
  });

  check('of a custom selection of metadata sends partial objects', async ({ admin }) => {
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    await admin.create(secrets(), secret('partial', { check: 'partial' }));
    const watch = await admin.watch(`${secrets()}?labelSelector=check=partial`, { accept });

    const [event] = await watch.take(1);
    watch.close();

    expect(masked(event)).toEqual({
      type: 'ADDED',
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: storedMeta('partial', namespace, { labels: { check: 'partial' } }),
      },
    });
  });

  check('as table sends rows, with the columns in the first event only', async ({ admin }) => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    await admin.create(secrets(), secret('row-1', { check: 'row' }));
    await admin.create(secrets(), secret('row-2', { check: 'row' }));
    const watch = await admin.watch(`${secrets()}?labelSelector=check=row`, { accept });

    const events = await watch.take(2);
    watch.close();

    expect(
      events.map(({ type, object }) => [
        type,
        object.kind,
        Object.keys(object),
        (object.columnDefinitions as unknown[] | null)?.length,
      ]),
    ).toEqual([
      ['ADDED', 'Table', ['kind', 'apiVersion', 'metadata', 'columnDefinitions', 'rows'], 4],
      ['ADDED', 'Table', ['kind', 'apiVersion', 'metadata', 'columnDefinitions', 'rows'], undefined],
    ]);
  });

  check('as table sends a row in bookmarks too', async ({ admin }) => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await admin.watch(`${secrets()}?labelSelector=check=nothing&${query}`, { accept });

    const [bookmark] = await watch.take(1);
    watch.close();

    const annotations = { 'k8s.io/initial-events-end': 'true' };
    expect([bookmark?.type, masked({ ...bookmark?.object, columnDefinitions: [] })]).toEqual([
      'BOOKMARK',
      {
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: '<version>' },
        columnDefinitions: [],
        rows: [
          {
            cells: ['', '', 0, '<unknown>'],
            object: {
              kind: 'PartialObjectMetadata',
              apiVersion: 'meta.k8s.io/v1',
              metadata: { resourceVersion: '<version>', annotations },
            },
          },
        ],
      },
    ]);
  });
});
