import { setTimeout as sleep } from 'node:timers/promises';
import { CustomResourceDefinitions, type KubeClient } from '@klutch/kube';
import { concurrently, type Measurement, measure } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { Widgets, widget, widgetDefinition } from '../kube/widgets.ts';

const namespace = 'default';
const inFlight = 20;
const stored = 10_000;

/** Create, get, list and watch fan-out, ours and the real server's in turns. */
export async function workloads(ours: KubeClient, real: KubeClient): Promise<readonly Figure[]> {
  await Promise.all([install(ours), install(real)]);
  let created = 0;
  const create = (client: KubeClient, count: number) =>
    concurrently(count, inFlight, () => client.resource(Widgets).create(widget(namespace, created++)));
  const creates = await both(ours, real, (client) => create(client, 1000), 4);
  await Promise.all([ours, real].map((client) => fillUp(client, (count) => create(client, count))));
  const name = (await ours.resource(Widgets).list({ limit: 1 })).items[0]?.metadata.name ?? '';
  const nameOfReal = (await real.resource(Widgets).list({ limit: 1 })).items[0]?.metadata.name ?? '';
  const gets = await both(
    ours,
    real,
    (client) =>
      concurrently(2000, inFlight, () =>
        client.resource(Widgets).get({ namespace, name: client === ours ? name : nameOfReal }),
      ),
    4,
  );
  const lists = await both(ours, real, (client) => listAll(client), 4);
  const fanOuts = await both(ours, real, (client) => fanOut(client, client === ours ? name : nameOfReal), 3);
  return [
    ratio('create of 3 KB objects, 20 in flight, against kube-apiserver', creates),
    ratio('get, 20 in flight, against kube-apiserver', gets),
    ratio(`list of ${stored} objects, against kube-apiserver`, lists),
    ratio('events delivered to 20 watchers, against kube-apiserver', fanOuts),
  ];
}

function both(ours: KubeClient, real: KubeClient, run: (client: KubeClient) => Promise<number>, repeats: number) {
  return measure(
    [
      { name: 'ours', run: () => run(ours) },
      { name: 'kube-apiserver', run: () => run(real) },
    ],
    { repeats },
  );
}

async function install(client: KubeClient): Promise<void> {
  await client.resource(CustomResourceDefinitions).create(widgetDefinition);
  for (let tries = 0; tries < 100; tries++) {
    const isServed = await client
      .resource(Widgets)
      .list({ limit: 1 })
      .then(
        () => true,
        () => false,
      );
    if (isServed) return;
    await sleep(100);
  }
  throw new Error('the widgets are not served');
}

async function fillUp(client: KubeClient, create: (count: number) => Promise<number>): Promise<void> {
  const page = await client.resource(Widgets).list({ limit: 1 });
  await create(stored - 1 - (page.metadata.remainingItemCount ?? 0));
}

async function listAll(client: KubeClient): Promise<number> {
  let count = 0;
  for await (const page of client.resource(Widgets).pages()) count += page.items.length;
  return count;
}

const watchers = 20;
const changes = 100;

/** Changes one object a hundred times while twenty clients watch; counts events that arrived. */
async function fanOut(client: KubeClient, name: string): Promise<number> {
  const stop = new AbortController();
  const { metadata } = await client.resource(Widgets).list({ limit: 1 });
  const watch = async () => {
    let seen = 0;
    for await (const event of client
      .resource(Widgets)
      .watch({ resourceVersion: metadata.resourceVersion, signal: stop.signal })) {
      if (event.type === 'MODIFIED') seen += 1;
      if (seen === changes) return seen;
    }
    return seen;
  };
  const watching = Array.from({ length: watchers }, watch);
  for (let change = 0; change < changes; change++) {
    const patch = { metadata: { labels: { change: `${Date.now()}-${change}` } } };
    await client.resource(Widgets).patch({ namespace, name }, { type: 'merge', patch });
  }
  const counts = await Promise.all(watching);
  stop.abort();
  return counts.reduce((sum, count) => sum + count, 0);
}

function ratio(what: string, [ours, real]: readonly Measurement[]): Figure {
  const [a, b] = [ours?.medianRate ?? 0, real?.medianRate ?? 0];
  return { what, measured: `${a.toFixed(0)}/s against ${b.toFixed(0)}/s`, value: a / b, goal: { atLeast: 1 } };
}
