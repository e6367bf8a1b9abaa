import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type ApiServer, startApiServer } from '@klutch/apiserver';
import { ConfigMaps, connect, parseKubeconfig } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** A file system of its own, which only root can make. Elsewhere the tests of the store with injected faults have to do. */
async function smallDisk(): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'klutch-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dir]);
    return dir;
  } catch {
    await rm(dir, { recursive: true });
    return undefined;
  }
}

const disk = await smallDisk();
const title =
  disk === undefined ? 'a server on a full disk (no file system can be mounted here)' : 'a server on a full disk';

describe.skipIf(disk === undefined)(title, () => {
  const dir = disk ?? '';
  let server: ApiServer;

  beforeAll(async () => {
    server = await startApiServer({ dir: join(dir, 'server') });
  });

  afterAll(async () => {
    await server.stop();
    await run('umount', [dir]);
    await rm(dir, { recursive: true });
  });

  const health = (path: string) =>
    new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
      get(`${server.url}${path}`, { ca: server.caCertificate, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      }).on('error', reject);
    });

  it('says that it is not ready, refuses writes, answers reads, and goes on when there is room', async () => {
    const client = connect(parseKubeconfig(server.kubeconfig(), { source: 'the test', trust: 'local' }), {
      userAgent: 'test/1',
    });
    const maps = client.resource(ConfigMaps);
    const map = (name: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data: { filler: 'x'.repeat(50_000) },
    });
    await maps.create(map('kept'));
    const { bavail, bsize } = await statfs(dir);
    await writeFile(join(dir, 'filler'), Buffer.alloc(bavail * bsize - bsize));

    const refusal = await maps.create(map('refused')).then(
      () => undefined,
      (error: unknown) => error,
    );

    expect(refusal).toMatchObject({
      status: 503,
      message: expect.stringContaining('the server cannot store changes at the moment (ENOSPC); nothing was changed'),
    });
    for (const path of ['readyz', 'livez']) {
      const { status, body } = await health(`/${path}`);
      expect([status, body]).toEqual([500, expect.stringContaining('[-]etcd failed')]);
    }
    expect(await maps.find({ namespace: 'default', name: 'kept' })).toMatchObject({ metadata: { name: 'kept' } });
    expect(await maps.find({ namespace: 'default', name: 'refused' })).toBeUndefined();

    await rm(join(dir, 'filler'));
    await eventually(async () => (await health('/readyz')).status === 200);
    await maps.create(map('later'));
    await client.close();
  });
});
