import { subscribe } from 'node:diagnostics_channel';
import { main } from '@klutch/cli';

/** The `klutch` command, which kills itself with SIGKILL right before it sends the request that `KLUTCH_KILL_BEFORE_REQUEST` counts. */
const fatal = Number(process.env['KLUTCH_KILL_BEFORE_REQUEST']);
const requests: string[] = [];

function noteRequest(message: unknown): void {
  const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
  requests.push(`${request.method} ${request.path}`);
  if (requests.length === fatal) process.kill(process.pid, 'SIGKILL');
}

// Requests to API servers go through undici, those to backends and issuers through node:http. Both publish before they send.
subscribe('undici:request:create', noteRequest);
subscribe('http.client.request.start', noteRequest);

process.once('exit', () => process.stderr.write(`requests: ${JSON.stringify(requests)}\n`));
process.exitCode = await main(process.argv.slice(2));
