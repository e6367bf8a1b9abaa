import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import { install, specOf } from '../definition.ts';
import { conformance } from '../suite.ts';

conformance('version, health and schemas', ({ check }) => {
  check('tells the version of Kubernetes', async ({ admin }) => {
    const { status, body } = await admin.get('/version');

    expect([status, Object.keys(body).toSorted()]).toEqual([
      200,
      [
        'buildDate',
        'compiler',
        'emulationMajor',
        'emulationMinor',
        'gitCommit',
        'gitTreeState',
        'gitVersion',
        'goVersion',
        'major',
        'minCompatibilityMajor',
        'minCompatibilityMinor',
        'minor',
        'platform',
      ],
    ]);
    expect([body.major, body.minor]).toEqual(['1', '35']);
  });

  check('lists the paths that there are', async ({ admin }) => {
    const { status, body } = await admin.get('/');
    const paths = body.paths as string[];

    expect(status).toBe(200);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api',
        '/api/v1',
        '/apis',
        '/apis/',
        '/apis/apps',
        '/apis/apps/v1',
        '/livez',
        '/openapi/v2',
        '/openapi/v3',
        '/readyz',
        '/version',
      ]),
    );
    expect(paths).toEqual(paths.toSorted());
  });

  for (const path of ['/livez', '/readyz', '/healthz']) {
    check(`says at ${path} that it is well, also to strangers`, async ({ admin, anonymous }) => {
      const answers = [await admin.get(path), await anonymous.get(path)];

      expect(answers.map(({ status, text, headers }) => [status, text, headers['content-type']])).toEqual([
        [200, 'ok', 'text/plain; charset=utf-8'],
        [200, 'ok', 'text/plain; charset=utf-8'],
      ]);
    });
  }

  check('lists its health checks', async ({ admin }) => {
    const { status, text } = await admin.get('/readyz?verbose');

    expect([status, text.split('\n').filter((line) => /ping|passed/.test(line))]).toEqual([
      200,
      ['[+]ping ok', 'readyz check passed'],
    ]);
    expect((await admin.get('/livez/ping')).text).toBe('ok');
    expect((await admin.get('/livez/unicorn')).status).toBe(404);
  });

  check('offers schemas by group and version, which may be cached by their hash', async ({ admin }) => {
    // The index is JSON, whatever its content type says.
    const { paths } = JSON.parse((await admin.get('/openapi/v3')).text) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const { status, body: schema } = await admin.get(paths['apis/apps/v1']?.serverRelativeURL ?? '');
    const { schemas } = schema.components as { schemas: Record<string, Record<string, unknown>> };

    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/apiextensions.k8s.io/v1']),
    );
    expect(paths['apis/apps/v1']?.serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/);
    expect([status, schema.openapi]).toEqual([200, '3.0.0']);
    expect(schemas['io.k8s.api.apps.v1.Deployment']?.['x-kubernetes-group-version-kind']).toEqual([
      { group: 'apps', kind: 'Deployment', version: 'v1' },
    ]);
  });

  check('sends whoever knows an old schema to the present one', async ({ admin }) => {
    const old = await admin.get('/openapi/v3/apis/apps/v1?hash=OLD');
    const current = await admin.get(String(old.headers.location));
    const unhashed = await admin.get('/openapi/v3/apis/apps/v1');

    expect([old.status, old.headers.location]).toEqual([
      301,
      expect.stringMatching(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/),
    ]);
    expect([current.status, current.headers['cache-control']]).toEqual([200, 'public, immutable']);
    expect([unhashed.status, unhashed.headers.etag]).toEqual([200, current.headers.etag]);
  });

  check('offers the schema of a custom kind', async ({ admin }) => {
    const group = 'openapi.conf.example';
    const schema = specOf({ size: { type: 'integer', description: 'How big it is.', minimum: 1 } });
    await install(admin, { group, kind: 'Sized', schema });

    const found = await eventually(
      async () => {
        const { body } = await admin.get(`/openapi/v3/apis/${group}/v1`);
        return (body.components as { schemas: Record<string, unknown> } | undefined)?.schemas[
          'example.conf.openapi.v1.Sized'
        ];
      },
      { what: 'the schema is published' },
    );

    expect(found).toMatchObject({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        spec: { type: 'object', properties: { size: { description: 'How big it is.', type: 'integer', minimum: 1 } } },
      },
      'x-kubernetes-group-version-kind': [{ group, kind: 'Sized', version: 'v1' }],
    });
  });

  check('offers one old schema of everything', async ({ admin }) => {
    const { status, body } = await admin.get('/openapi/v2');
    const definitions = body.definitions as Record<string, unknown>;

    expect([status, body.swagger, Object.keys(definitions)]).toEqual([
      200,
      '2.0',
      expect.arrayContaining(['io.k8s.api.core.v1.ConfigMap']),
    ]);
  });
});
