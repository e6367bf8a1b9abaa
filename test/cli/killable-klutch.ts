import { subscribe } from 'node:diagnostics_channel';
import { main } from '@klutch/cli';

/** The `klutch` command, which kills itself with SIGKILL right before it sends the request that `KLUTCH_KILL_BEFORE_REQUEST` counts. */
const fatal = Number(process.env['KLUTCH_KILL_BEFORE_REQUEST']);
let requests = 0;

function countRequest(): void {
  requests += 1;
  if (requests === fatal) process.kill(process.pid, 'SIGKILL');
}

// Requests to API servers go through undici, those to backends and issuers through node:http. Both publish before they send.
subscribe('undici:request:create', countRequest);
subscribe('http.client.request.start', countRequest);

process.once('exit', () => process.stderr.write(`requests: ${requests}\n`));
process.exitCode = await main(process.argv.slice(2));
