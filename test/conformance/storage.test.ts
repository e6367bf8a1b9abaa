import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@klutch/kit';
import { describe, expect, it } from 'vitest';
import { mortalServer } from './mortal-servers.ts';
import { configMap } from './objects.ts';
import { inNamespace } from './paths.ts';
import { targets } from './targets.ts';

const maps = inNamespace('v1/configmaps', 'default');

for (const { name, tier, missing } of targets()) {
  const title = `storage on ${name}${missing === undefined ? '' : ` (${missing})`}`;
  describe.skipIf(missing !== undefined)(title, { meta: { tier } }, () => {
    it('keeps what was acknowledged when the server is killed, also writes that changed nothing', async () => {
      const server = await mortalServer(name);
      const admin = await server.connect();
      const writes = Array.from({ length: 30 }, async (_, index) => {
        const key = `kept-${index}`;
        const sent = configMap(key, { a: '1' });
        const created = await admin.apply(maps(key), 'one', sent);
        const same = await admin.apply(maps(key), 'one', sent);
        expect(same.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
        return [key, same.body.metadata.resourceVersion] as const;
      });
      const acknowledged = await Promise.all(writes);

      await server.crash();

      const after = await server.connect();
      const { body } = await after.get(maps());
      const versions = new Map(body.items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
      expect(acknowledged.filter(([key, version]) => versions.get(key) !== version)).toEqual([]);
      const next = await after.create(maps(), configMap('next', {}));
      const last = Math.max(...acknowledged.map(([, version]) => Number(version)));
      expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(last);
    });

    it('that fails makes the server refuse writes and say that it is not ready, until it works again', async (test) => {
      const server = await mortalServer(name);
      test.skip(server.breakStorage === undefined, 'no file system can be mounted here');
      const admin = await server.connect();
      const large = { a: 'x'.repeat(50_000) };

      const mend = await server.breakStorage?.();
      const { status } = await admin.post(`${maps()}?timeout=2s`, configMap('refused', large));
      for (const path of ['/readyz', '/livez']) {
        const isUnwell = async () => (await admin.get(path)).text.includes('[-]etcd failed: reason withheld');
        // kube-apiserver asks etcd again only when its last answer is a while old.
        await eventually(isUnwell, { what: `${path} tells of the storage` });
        expect((await admin.get(path)).status).toBe(500);
      }
      await mend?.();

      expect(status).toBeGreaterThanOrEqual(500);
      await eventually(async () => (await admin.get('/readyz')).status === 200, { what: 'the server is ready' });
      expect((await admin.post(maps(), configMap('later', large))).status).toBe(201);
    });

    it('can be read by nobody else', async () => {
      const { storage } = await mortalServer(name);

      const open: string[] = [];
      for (const path of ['', ...(await readdir(storage, { recursive: true }))]) {
        const { mode } = await stat(join(storage, path));
        if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`);
      }

      expect(open).toEqual([]);
    });
  });
}
