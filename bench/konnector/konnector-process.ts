import { type KonnectorOptions, startKonnector } from '@klutch/konnector';

/** A process of its own with a konnector in it. Its parent sends the options and may ask what it has used so far. */
const stop = new AbortController();
let writes = 0;
process.on('message', (message: Message) => {
  if (message.type === 'usage') process.send?.({ rss: process.memoryUsage().rss, cpu: process.cpuUsage(), writes });
  else void run(message.options);
});
process.on('disconnect', () => stop.abort());

type Message = { readonly type: 'start'; readonly options: KonnectorOptions } | { readonly type: 'usage' };

async function run(options: KonnectorOptions): Promise<void> {
  const konnector = startKonnector(options, {
    signal: stop.signal,
    interceptors: [
      (next) => (request) => {
        // Signs of life are promised to control planes and others of our kind.
        const isSignOfLife = request.path.includes('/leases') || request.path.includes('/clusterbindings');
        if (request.method !== 'GET' && !isSignOfLife) writes += 1;
        return next(request);
      },
    ],
  });
  await konnector.ready;
  process.send?.({ started: true });
  await konnector.stopped;
  process.exit();
}
