import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { widget } from './widgets.ts';

/**
 * A process of its own that answers a list with no objects and a watch with updates: `rate` a second for `seconds`, then
 * the end of the watch. Every event carries the time it was sent. Prints its port.
 */
const [rate = 5000, seconds = 5] = process.argv.slice(2).map(Number);
const objects = 1000;
const tickMs = 10;

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (!request.url?.includes('watch=true')) {
    response.end(JSON.stringify({ kind: 'WidgetList', metadata: { resourceVersion: '1' }, items: [] }));
    return;
  }
  void sendUpdates((text) => response.write(text)).then(() => response.end());
});

async function sendUpdates(write: (text: string) => void): Promise<void> {
  const total = rate * seconds;
  const began = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate));
    let batch = '';
    for (; sent < due; sent++) batch += event(sent);
    if (batch !== '') write(batch);
    await sleep(tickMs);
  }
}

function event(sent: number): string {
  const object = widget('bench', sent % objects);
  const annotations = { ...object.metadata.annotations, sentAt: String(Date.now()) };
  const metadata = { ...object.metadata, annotations, uid: `uid-${sent % objects}`, resourceVersion: String(sent + 2) };
  return `${JSON.stringify({ type: sent < objects ? 'ADDED' : 'MODIFIED', object: { ...object, metadata } })}\n`;
}

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
