import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect, startInformer } from '@klutch/kube';
import { percentile } from '../harness/measure.ts';
import type { Figure } from '../harness/report.ts';
import { Widgets } from './widgets.ts';

const rate = 5000;
const seconds = 8;

/** An informer takes 5,000 updates a second: how late does the last one arrive, and how busy is the process? */
export async function updates(): Promise<readonly Figure[]> {
  const source = fork(fileURLToPath(new URL('event-source.ts', import.meta.url)), [String(rate), String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(source.stdout ?? source, 'data')) as [Buffer];
  const client = connect(
    { server: `http://127.0.0.1:${line.toString().trim()}`, source: 'bench', auth: { kind: 'none' } },
    { userAgent: 'klutch-bench' },
  );
  const lags: number[] = [];
  const stop = new AbortController();
  const informer = startInformer({ client: client.resource(Widgets) }, stop.signal);
  const cpuBefore = process.cpuUsage();
  await new Promise<void>((resolve) => {
    informer.subscribe(({ object }) => {
      lags.push(Date.now() - Number(object.metadata.annotations?.['sentAt']));
      if (lags.length === rate * seconds) resolve();
    });
  });
  const cpu = process.cpuUsage(cpuBefore);
  stop.abort();
  await informer.stopped;
  await client.close();
  source.disconnect();
  await once(source, 'exit');
  const tail = percentile(lags.slice(-rate), 99);
  const share = (cpu.user + cpu.system) / 1e6 / seconds;
  return [
    {
      what: `delay of updates at ${rate}/s, last second`,
      measured: `p50 ${percentile(lags.slice(-rate), 50).toFixed(0)} ms, p99 ${tail.toFixed(0)} ms; ${(share * 100).toFixed(0)}% of a core`,
      value: tail,
      goal: { atMost: 1000 },
    },
  ];
}
