import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { get, loopback, ok } from '../transport/loopback.fixture.ts';
import { readText } from '../transport/read-text.ts';
import type { KubeRequest } from '../transport/types.ts';
import { createFaults, type FaultRule } from './faults.ts';

const { serve, open } = loopback();

const request = (path = '/things'): KubeRequest => ({
  method: 'GET',
  path,
  mode: 'call',
  about: { verb: 'get', resource: 'things', object: 'things' },
});

function setUp(...rules: FaultRule[]) {
  const faults = createFaults(() => 0.5);
  const handles = rules.map((rule) => faults.add(rule));
  let served = 0;
  const send = faults.interceptor(async () => {
    served += 1;
    const body = new PassThrough();
    body.end('0123456789');
    return { status: 200, headers: {}, body };
  });
  return { faults, handles, send, served: () => served };
}

describe('faults', () => {
  it('drop: the server never sees the request', async () => {
    const { send, served } = setUp({ fault: { type: 'drop' } });
    await expect(send(request())).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE' });
    expect(served()).toBe(0);
  });

  it('loseAnswer: the server did it, the client does not know', async () => {
    const { send, served } = setUp({ fault: { type: 'loseAnswer' } });
    await expect(send(request())).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE' });
    expect(served()).toBe(1);
  });

  it('loseAnswer: works on real connections', async () => {
    const faults = createFaults();
    faults.add({ fault: { type: 'loseAnswer' }, times: 1 });
    const transport = open(await serve(ok), {}, { interceptors: [faults.interceptor], retry: { attempts: 0 } });
    await expect(transport.json(get)).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE' });
    expect(await transport.json(get)).toEqual({ ok: true });
  });

  it('truncate: the answer breaks off after exactly so many bytes', async () => {
    const { send } = setUp({ fault: { type: 'truncate', afterBytes: 4 } });
    const { body } = await send(request());
    let text = '';
    const reading = (async () => {
      for await (const chunk of body) text += String(chunk);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'KUBE_UNREACHABLE' });
    expect(text).toBe('0123');
  });

  it('truncate: an answer that is shorter arrives whole', async () => {
    const { send } = setUp({ fault: { type: 'truncate', afterBytes: 400 } });
    expect(await readText((await send(request())).body)).toBe('0123456789');
  });

  it('delay: the request arrives late, unless its caller gives up', async () => {
    const { send, served } = setUp({ fault: { type: 'delay', ms: 5 } });
    await send(request());
    expect(served()).toBe(1);
    await expect(send({ ...request(), signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'KUBE_ABORTED' });
    expect(served()).toBe(1);
  });

  it.each([409, 410, 429, 500, 503] as const)('status %i: refused in the words of Kubernetes', async (status) => {
    const { send, served } = setUp({ fault: { type: 'status', status, retryAfterSeconds: 2 } });
    const answer = await send(request());
    expect(answer).toMatchObject({ status, headers: { 'retry-after': '2' } });
    expect(JSON.parse(await readText(answer.body))).toMatchObject({ kind: 'Status', code: status });
    expect(served()).toBe(0);
  });

  it('hit only matching requests, only so often, and only by chance', async () => {
    const drop = { type: 'drop' } as const;
    const { send, handles } = setUp(
      { fault: drop, when: ({ path }) => path === '/a', times: 1 },
      { fault: drop, when: ({ path }) => path === '/b', probability: 0.4 },
      { fault: drop, when: ({ path }) => path === '/c', probability: 0.6 },
    );
    await expect(send(request('/a'))).rejects.toThrow();
    await send(request('/a'));
    await send(request('/b'));
    await expect(send(request('/c'))).rejects.toThrow();
    expect(handles.map(({ hits }) => hits)).toEqual([1, 0, 1]);
  });

  it('end when they are removed or cleared', async () => {
    const { send, handles, faults } = setUp({ fault: { type: 'drop' } }, { fault: { type: 'drop' } });
    handles[0]?.remove();
    await expect(send(request())).rejects.toThrow();
    faults.clear();
    await expect(send(request())).resolves.toMatchObject({ status: 200 });
  });
});
