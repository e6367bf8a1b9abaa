import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { awaitReady } from '../process/await-ready.ts';
import { type Component, startComponent } from '../process/component.ts';
import { etcdFlags, FILES } from './flags.ts';

/** Starts etcd in the plane's folder and waits until it listens. */
export async function startEtcd(dir: string, command: string, timeoutMs: number): Promise<Component> {
  const etcd = await startComponent({
    name: 'etcd',
    command,
    args: etcdFlags(),
    cwd: dir,
    logFile: join(dir, 'etcd.log'),
  });
  const listens = async () => {
    await access(join(dir, FILES.etcdSocket));
    return true;
  };
  await awaitReady(etcd, listens, timeoutMs);
  return etcd;
}
