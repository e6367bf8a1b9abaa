import { expect } from 'vitest';
import { install } from '../definition.ts';
import { expectRefusal, noSuchPath } from '../refusal.ts';
import { conformance } from '../suite.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

conformance('discovery', ({ check }) => {
  check('names the versions of the core group', async ({ admin }) => {
    const { status, body } = await admin.get('/api');

    expect([status, body.kind, body.versions]).toEqual([200, 'APIVersions', ['v1']]);
    expect(body.serverAddressByClientCIDRs).toEqual([
      { clientCIDR: '0.0.0.0/0', serverAddress: expect.stringMatching(/:\d+$/) },
    ]);
  });

  check('names all groups with their versions', async ({ admin }) => {
    const { body } = await admin.get('/apis');
    const wanted = [
      'apps',
      'rbac.authorization.k8s.io',
      'apiextensions.k8s.io',
      'authorization.k8s.io',
      'authentication.k8s.io',
      'coordination.k8s.io',
      'events.k8s.io',
      'apiregistration.k8s.io',
    ];
    const groups = (body.groups as { name: string; versions: { version: string }[] }[]).filter(({ name }) =>
      wanted.includes(name),
    );

    expect([body.kind, body.apiVersion]).toEqual(['APIGroupList', 'v1']);
    expect(groups.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
    expect(groups.find(({ name }) => name === 'apps')).toEqual({
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
  });

  check('describes one group', async ({ admin }) => {
    const { status, body } = await admin.get('/apis/apps');

    expect([status, body]).toEqual([
      200,
      {
        kind: 'APIGroup',
        apiVersion: 'v1',
        name: 'apps',
        versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      },
    ]);
  });

  check('answers 304 to those who know the document', async ({ admin }) => {
    const { headers } = await admin.get('/apis', { accept: aggregated });
    const known = await admin.get('/apis', {
      accept: aggregated,
      headers: { 'if-none-match': String(headers.etag) },
    });

    expect([known.status, known.text, known.headers['content-type'], known.headers.etag]).toEqual([
      304,
      '',
      undefined,
      headers.etag,
    ]);
  });

  check('prefers the first type that it knows', async ({ admin }) => {
    const accept = `application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,${aggregated},application/json`;
    const { body } = await admin.get('/apis', { accept });

    expect(body.kind).toBe('APIGroupDiscoveryList');
  });

  check('knows of a custom group that some version of it is not served', async ({ admin }) => {
    await install(admin, { group: 'foundgroup.conf.example', kind: 'Found' });

    for (const path of ['v9', 'v9/founds', 'v1/losts']) {
      const { status, text } = await admin.get(`/apis/foundgroup.conf.example/${path}`);
      expect([path, status, text]).toEqual([path, 404, '404 page not found\n']);
    }
  });

  check('does not know groups and versions that are not served', async ({ admin }) => {
    const group = await admin.get('/apis/unicorn.example');
    const version = await admin.get('/apis/unicorn.example/v1');

    expect([group.status, group.text, version.status, version.text]).toEqual([
      404,
      '404 page not found\n',
      404,
      '404 page not found\n',
    ]);
    for (const path of ['/apis/apps/v9', '/api/v9', '/version/more']) {
      expectRefusal(await admin.get(path), noSuchPath);
    }
  });
});
