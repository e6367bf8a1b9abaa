import { subscribe } from 'node:diagnostics_channel';
import { main } from '@klutch/cli';

/**
 * The `klutch` command, which kills itself with SIGKILL right before it sends the request that `KLUTCH_KILL_BEFORE_REQUEST` counts, or the
 * one that `KLUTCH_KILL_BEFORE_WRITE` counts among those that change something.
 */
const fatal = Number(process.env['KLUTCH_KILL_BEFORE_REQUEST']);
const fatalWrite = Number(process.env['KLUTCH_KILL_BEFORE_WRITE']);
const requests: string[] = [];
let writes = 0;

function noteRequest(message: unknown): void {
  const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
  requests.push(`${request.method} ${request.path}`);
  if (request.method !== 'GET' && !request.path.includes('dryRun=All')) writes += 1;
  if (requests.length === fatal || writes === fatalWrite) process.kill(process.pid, 'SIGKILL');
}

// Requests to API servers go through undici, those to backends and issuers through node:http. Both publish before they send.
subscribe('undici:request:create', noteRequest);
subscribe('http.client.request.start', noteRequest);

process.once('exit', () => process.stderr.write(`requests: ${JSON.stringify(requests)}\n`));
process.exitCode = await main(process.argv.slice(2));
