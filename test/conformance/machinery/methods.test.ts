import { expect } from 'vitest';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { expectRefusal, methodNotAllowed, noSuchPath } from '../refusal.ts';
import { conformance } from '../suite.ts';

conformance('methods and paths', ({ check, prepare }) => {
  const own = 'conf-methods';
  const path = inNamespace('v1/configmaps', own);
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(own);
    await admin.create(path(), configMap('there'));
  });

  for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
    check(`refuses ${method}`, async ({ admin }) => {
      expectRefusal(await admin.send(method, path('there')), methodNotAllowed);
    });
  }

  check('refuses HEAD', async ({ admin }) => {
    const { status, text } = await admin.send('HEAD', path('there'));

    expect([status, text]).toEqual([405, '']);
  });

  check('refuses a method that the path does not have', async ({ admin }) => {
    expectRefusal(await admin.put(path(), configMap('x')), methodNotAllowed);
    expectRefusal(await admin.patch('merge', path(), {}), methodNotAllowed);
    expectRefusal(await admin.post('/api/v1', {}), methodNotAllowed);
    expectRefusal(await admin.get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'), methodNotAllowed);
  });

  check('does not know other paths', async ({ admin }) => {
    for (const unknown of ['/unicorn', '/healthz/unicorn', '/openapi/v9', '/apis/unicorn/v1/horns']) {
      const { status, text, headers } = await admin.get(unknown);
      expect([status, text, headers['content-type'], headers['x-content-type-options']]).toEqual([
        404,
        '404 page not found\n',
        'text/plain; charset=utf-8',
        'nosniff',
      ]);
    }
    expect((await admin.post('/unicorn', {})).text).toBe('404 page not found\n');
    expectRefusal(await admin.get(`${path('there')}/unicorn`), noSuchPath);
    expectRefusal(await admin.get('/apis/apps/v1/unicorns'), noSuchPath);
    expectRefusal(await admin.get('/api/v1/unicorns'), noSuchPath);
  });

  check('does not mind a slash at the end of a collection', async ({ admin }) => {
    const { status, body } = await admin.get(`${path()}/`);

    expect([status, body.kind]).toEqual([200, 'ConfigMapList']);
  });

  check('decodes names in paths', async ({ admin }) => {
    const { status } = await admin.get(path('%74here'));

    expect(status).toBe(200);
  });

  check('ignores parameters that it does not know', async ({ admin }) => {
    const { status } = await admin.get(`${path('there')}?unicorn=1`);

    expect(status).toBe(200);
  });
});
