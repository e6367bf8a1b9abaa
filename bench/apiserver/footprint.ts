import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect, CustomResourceDefinitions, parseKubeconfig } from '@klutch/kube';
import { concurrently } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { Widgets, widget, widgetDefinition } from '../kube/widgets.ts';

const count = 10_000;

/** What the first start of a process takes, and a stored object in the memory of one that holds nothing but the server. */
export async function footprint(): Promise<readonly Figure[]> {
  const server = fork(fileURLToPath(new URL('server-process.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ kubeconfig, startMs }] = (await once(server, 'message')) as [{ kubeconfig: string; startMs: number }];
  const client = connect(parseKubeconfig(kubeconfig, { source: 'bench', trust: 'local' }), {
    userAgent: 'klutch-bench',
  });
  await client.resource(CustomResourceDefinitions).create(widgetDefinition);
  const widgets = client.resource(Widgets);
  const isServed = () =>
    widgets.list({ limit: 1 }).then(
      () => true,
      () => false,
    );
  while (!(await isServed()));
  await concurrently(1000, 20, (index) => widgets.create(widget('default', index)));
  const before = await bytes();
  await concurrently(count, 20, (index) => widgets.create(widget('default', 1000 + index)));
  const after = await bytes();
  const size = Buffer.byteLength(JSON.stringify(await widgets.get({ namespace: 'default', name: 'widget-00000' })));
  await client.close();
  server.disconnect();
  await once(server, 'exit');
  const perObject = (after - before) / count;
  const start: Figure = {
    what: 'first start in a new process, code loaded, ms',
    measured: `${startMs.toFixed(0)} ms`,
    value: startMs,
    goal: { atMost: 300 },
  };
  const memory: Figure = {
    what: `memory per stored object of ${size} bytes, KB`,
    measured: `${perObject.toFixed(0)} bytes`,
    value: perObject / 1024,
    goal: { atMost: 6 },
  };
  return [start, memory];

  async function bytes(): Promise<number> {
    server.send('measure');
    const [{ used }] = (await once(server, 'message')) as [{ used: number }];
    return used;
  }
}
