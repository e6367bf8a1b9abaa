import { setTimeout as sleep } from 'node:timers/promises';
import type { Plane } from '@klutch/kit';
import { connect, CustomResourceDefinitions, type KubeClient, parseKubeconfig, startInformer } from '@klutch/kube';
import { Pool } from 'undici';
import { concurrently, measure } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { settledHeapBytes } from './heap.ts';
import { Widgets, widget, widgetDefinition } from './widgets.ts';

const count = 10_000;
const pageSize = 500;
const namespace = 'default';

/** Initial sync of 10,000 objects against a bare paged GET with JSON.parse, and what they take on the heap. */
export async function informerSync(plane: Plane): Promise<readonly Figure[]> {
  const config = parseKubeconfig(plane.admin.kubeconfig, { source: 'bench', trust: 'local' });
  const client = connect(config, { userAgent: 'klutch-bench' });
  await fill(client);
  const bytes = Buffer.byteLength(
    JSON.stringify(await client.resource(Widgets).get({ namespace, name: 'widget-00000' })),
  );
  const floor = barePages(plane);
  const results = await measure(
    [
      { name: 'pages', run: () => syncOnce(client, 'pages') },
      { name: 'bare', run: floor.run },
      { name: 'stream', run: () => syncOnce(client, 'stream') },
    ],
    { repeats: 5 },
  );
  const [pages = 0, bare = 0, stream = 0] = results.map(({ medianRate }) => medianRate);
  const heap = await heapPerObject(client);
  await floor.close();
  await client.close();
  const ms = (rate: number) => `${((count / rate) * 1000).toFixed(0)} ms`;
  return [
    {
      what: `initial sync of ${count} objects of ${bytes} bytes, against bare pages`,
      measured: `${ms(pages)} against ${ms(bare)} (as a stream: ${ms(stream)})`,
      value: bare / pages,
      goal: { atMost: 1.5 },
    },
    {
      what: `heap per cached object of ${bytes} bytes, KB`,
      measured: `${heap.toFixed(0)} bytes`,
      value: heap / 1024,
      goal: { atMost: 3 },
    },
  ];
}

async function fill(client: KubeClient): Promise<void> {
  await client.resource(CustomResourceDefinitions).create(widgetDefinition);
  const widgets = client.resource(Widgets);
  for (let tries = 0; tries < 100; tries++) {
    if (
      await widgets.list({ limit: 1 }).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(100);
  }
  await concurrently(count, 20, (index) => widgets.create(widget(namespace, index)));
}

async function syncOnce(client: KubeClient, initialState: 'pages' | 'stream'): Promise<number> {
  const stop = new AbortController();
  const informer = startInformer({ client: client.resource(Widgets), initialState, pageSize }, stop.signal);
  await informer.synced;
  stop.abort();
  await informer.stopped;
  return informer.cache.size;
}

async function heapPerObject(client: KubeClient): Promise<number> {
  const before = settledHeapBytes();
  const stop = new AbortController();
  const informer = startInformer({ client: client.resource(Widgets), pageSize }, stop.signal);
  await informer.synced;
  const after = settledHeapBytes();
  stop.abort();
  await informer.stopped;
  return (after - before) / informer.cache.size;
}

/** The least anybody can do to have the list: GET page after page, parse, keep. */
function barePages(plane: Plane): { run: () => Promise<number>; close: () => Promise<void> } {
  const credentials = plane.admin.credentials;
  if (!('certificate' in credentials)) throw new Error('the bench expects an administrator with a certificate');
  const connectOptions = { ca: plane.pki.certificate, cert: credentials.certificate, key: credentials.key };
  const pool = new Pool(plane.url, { connections: 1, connect: connectOptions });
  const run = async () => {
    const objects: unknown[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const path = `/apis/bench.klutch.example/v1/widgets?limit=${pageSize}&continue=${encodeURIComponent(next)}`;
      const { body } = await pool.request({ method: 'GET', path });
      const page = (await body.json()) as { items: unknown[]; metadata: { continue?: string } };
      objects.push(...page.items);
      next = page.metadata.continue || undefined;
    }
    return objects.length;
  };
  return { run, close: () => pool.close() };
}
