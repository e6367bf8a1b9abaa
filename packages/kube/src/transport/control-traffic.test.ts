import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { runLeaderElection } from '../lease/run-leader-election.ts';
import { Leases, Namespaces } from '../objects/core.ts';
import { createClient } from '../resources/client.ts';
import { eventually } from '../testing/eventually.ts';
import { loopback } from './loopback.fixture.ts';

const { listen, open } = loopback();

/** A server that accepts every request, but answers only those about Leases and Namespaces. */
async function hangingServer() {
  const hanging: ServerResponse[] = [];
  let lease: object | undefined;
  let renewals = 0;
  const answer = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isLease = request.url?.includes('/leases') === true;
    if (isLease && request.method !== 'GET') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      lease = JSON.parse(Buffer.concat(chunks).toString()) as object;
      if (request.method === 'PUT') renewals += 1;
      answer(response, 200, lease);
    } else if (isLease && lease) answer(response, 200, lease);
    else if (isLease) answer(response, 404, { kind: 'Status', code: 404, reason: 'NotFound' });
    else if (request.url?.endsWith('/namespaces/kube-system')) answer(response, 200, { metadata: { uid: 'one' } });
    else hanging.push(response);
  }
  const transport = open(`http://127.0.0.1:${await listen(server)}`, {}, { maxConnections: 2 });
  const client = createClient(transport);
  /** More data calls than may be in flight, none of which gets an answer. */
  const saturate = async () => {
    const pods = { ...Leases, plural: 'things' };
    for (let i = 0; i < 20; i++) {
      void client
        .resource(pods)
        .get({ namespace: 'n', name: `t${i}` }, { timeoutMs: 60_000 })
        .catch(() => {});
    }
    await eventually(() => hanging.length === 2);
  };
  return { client, saturate, hanging, renewals: () => renewals };
}

describe('while all data calls hang', () => {
  it('a probe gets through at once, on a connection of its own', async () => {
    const { client, saturate, hanging } = await hangingServer();
    await saturate();
    const probe = await client
      .resource(Namespaces)
      .get({ name: 'kube-system' }, { timeoutMs: 5_000, traffic: 'control' });
    expect(probe.metadata.uid).toBe('one');
    expect(hanging).toHaveLength(2);
  });

  it('a data call waits, and no longer than its time limit', async () => {
    const { client, saturate } = await hangingServer();
    await saturate();
    await expect(client.resource(Namespaces).get({ name: 'kube-system' }, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'KUBE_TIMEOUT',
    });
  });

  it('a lease is taken, renewed and released', async () => {
    const { client, saturate, renewals } = await hangingServer();
    await saturate();
    const stop = new AbortController();
    const election = runLeaderElection({
      client,
      lease: { namespace: 'n', name: 'l' },
      identity: 'me',
      timings: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 20 },
      signal: stop.signal,
      lead: async (signal) => {
        await once(signal, 'abort');
      },
    });
    await eventually(() => renewals() > 3);
    expect(election.isLeader()).toBe(true);
    stop.abort();
    await election.stopped;
  });
});
