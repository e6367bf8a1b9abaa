import { channel } from 'node:diagnostics_channel';
import type { Plane } from '@klutch/kit';
import { type ConfigMap, ConfigMaps, connect, parseKubeconfig } from '@klutch/kube';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { concurrently, type Measurement, measure } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';

const inFlight = 20;
const namespace = 'default';

/** Reads and creates with 20 requests in flight, ours and the rival's in turns. */
export async function throughput(plane: Plane): Promise<readonly Figure[]> {
  const connections = countConnections();
  const ours = connect(parseKubeconfig(plane.admin.kubeconfig, { source: 'bench', trust: 'local' }), {
    userAgent: 'klutch-bench',
  });
  const maps = ours.resource(ConfigMaps);
  const rivalConfig = new KubeConfig();
  rivalConfig.loadFromString(plane.admin.kubeconfig);
  const rival = rivalConfig.makeApiClient(CoreV1Api);
  await maps.create(configMap('read-me'));

  const reads = await measure([
    { name: 'ours', run: () => concurrently(3000, inFlight, () => maps.get({ namespace, name: 'read-me' })) },
    {
      name: 'client-node',
      run: () => concurrently(400, inFlight, () => rival.readNamespacedConfigMap({ namespace, name: 'read-me' })),
    },
  ]);
  let created = 0;
  const creates = await measure([
    { name: 'ours', run: () => concurrently(1500, inFlight, () => maps.create(configMap(`ours-${created++}`))) },
    {
      name: 'client-node',
      run: () =>
        concurrently(400, inFlight, () =>
          rival.createNamespacedConfigMap({ namespace, body: configMap(`rival-${created++}`) as never }),
        ),
    },
  ]);
  await ours.close();
  return [
    ratio('GET, 20 in flight, against client-node', reads, 6),
    ratio('create, 20 in flight, against client-node', creates, 4),
    {
      what: 'connections opened by our client',
      measured: `${connections.most()} at once`,
      value: connections.most(),
      goal: { atMost: 8 },
    },
  ];
}

function ratio(what: string, [ours, rival]: readonly Measurement[], atLeast: number): Figure {
  const [a, b] = [ours?.medianRate ?? 0, rival?.medianRate ?? 0];
  return { what, measured: `${a.toFixed(0)}/s against ${b.toFixed(0)}/s`, value: a / b, goal: { atLeast } };
}

function configMap(name: string): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { text: 'x'.repeat(500) } };
}

/** Counts sockets that undici has open; the rival does not use undici. */
function countConnections(): { most: () => number } {
  let open = 0;
  let most = 0;
  channel('undici:client:connected').subscribe((message) => {
    open += 1;
    most = Math.max(most, open);
    (message as { socket: { once(event: string, done: () => void): void } }).socket.once('close', () => {
      open -= 1;
    });
  });
  return { most: () => most };
}
