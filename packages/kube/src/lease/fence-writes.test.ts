import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { loopback, ok } from '../transport/loopback.fixture.ts';
import { KubeError } from '../errors/kube-error.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import type { KubeRequest, KubeResponse, Send } from '../transport/types.ts';
import { fenceWrites } from './fence-writes.ts';
import { beginTerm, momentOf } from './term.ts';

const request = (method: KubeRequest['method'], signal?: AbortSignal): KubeRequest => ({
  method,
  path: '/api/v1/namespaces/a/secrets/b',
  mode: 'call',
  about: { verb: 'update', resource: 'secrets', object: 'secrets "b" in namespace "a"' },
  signal,
});
const answer: KubeResponse = { status: 200, headers: {}, body: Readable.from([]) };

/** Ends only when its signal aborts, as a transport does. */
const hanging: Send = ({ signal }) =>
  new Promise((_resolve, reject) => {
    const give = () => reject(new KubeError('KUBE_ABORTED', 'cancelled'));
    if (signal?.aborted) give();
    else signal?.addEventListener('abort', give, { once: true });
  });

function setup() {
  const clock = createManualClock();
  const term = beginTerm(clock, 10_000, 'ns/lease', momentOf(clock));
  return { clock, term, fence: fenceWrites(term) };
}

const { serve, open } = loopback();

describe('fence', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('lets %s pass during the term and not after', async (method) => {
    const { term, fence } = setup();
    const next = vi.fn(async () => answer);
    expect(await fence(next)(request(method))).toBe(answer);

    term.lose('another holds it');
    await expect(fence(next)(request(method))).rejects.toMatchObject({
      code: 'KUBE_LEADERSHIP_LOST',
      object: 'secrets "b" in namespace "a"',
    });
    expect(next).toHaveBeenCalledTimes(1);
  });

  it('lets reads pass after the term', async () => {
    const { term, fence } = setup();
    term.lose('another holds it');

    expect(await fence(async () => answer)(request('GET'))).toBe(answer);
  });

  it('refuses by the clock before any timer has fired', async () => {
    const { clock, fence } = setup();
    clock.jump(3_600_000);

    await expect(fence(async () => answer)(request('PUT'))).rejects.toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });
  });

  it('cancels a write under way when the term is lost', async () => {
    const { clock, fence } = setup();
    const failed = expect(fence(hanging)(request('PUT'))).rejects.toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });

    await clock.advance(10_000);
    await failed;
  });

  it('covers many writes at a time without a warning about its listeners', async () => {
    const { term, fence } = setup();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    const writes = Array.from({ length: 50 }, () => fence(hanging)(request('PUT')));

    await new Promise(setImmediate);
    term.lose('another holds it');
    const results = await Promise.allSettled(writes);
    process.off('warning', onWarning);
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(50);
    expect(warnings).toEqual([]);
  });

  it('still lets the caller cancel, before and during a write', async () => {
    const { fence } = setup();
    const caller = new AbortController();
    const during = fence(hanging)(request('PUT', caller.signal));
    caller.abort();

    await expect(during).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    await expect(fence(hanging)(request('PUT', caller.signal))).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
  });

  it('passes on errors of the server during the term', async () => {
    const { fence } = setup();
    const conflict = new KubeError('KUBE_CONFLICT', 'modified');

    await expect(fence(() => Promise.reject(conflict))(request('PUT'))).rejects.toBe(conflict);
  });

  it('keeps back a write that waited for its turn when the term ended, also while no timer fires', async () => {
    const { clock, fence } = setup();
    const received: string[] = [];
    let answerFirst = () => {};
    const server = await serve((incoming, response) => {
      received.push(`${incoming.method} ${incoming.url}`);
      answerFirst = () => ok(incoming, response);
    });
    const transport = open(server, {}, { maxConnections: 1, interceptors: [fence] });
    const first = transport.json({ ...request('GET'), path: '/first' });
    const second = transport.json({ ...request('PATCH'), path: '/second' });
    second.catch(() => {});
    await vi.waitFor(() => expect(received).toEqual(['GET /first']));

    clock.jump(3_600_000);
    answerFirst();

    await first;
    await expect(second).rejects.toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });
    expect(received).toEqual(['GET /first']);
  });

  it('keeps back a write whose credentials came after the term', async () => {
    const { clock, fence } = setup();
    const received: string[] = [];
    const server = await serve((incoming, response) => {
      received.push(incoming.url ?? '');
      ok(incoming, response);
    });
    let times = 0;
    const credentials = {
      current: async () => {
        times += 1;
        // They are asked for before the fence, for the header, and after it, for the connection.
        if (times === 2) clock.jump(3_600_000);
        return { authorization: 'Bearer late' };
      },
      invalidate: () => {},
    };
    const transport = open(server, {}, { interceptors: [fence], credentials });

    await expect(transport.json(request('PATCH'))).rejects.toMatchObject({ code: 'KUBE_LEADERSHIP_LOST' });
    expect(received).toEqual([]);
  });
});
