import { PassThrough } from 'node:stream';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { timedOut } from './deadline.ts';
import { limitCalls } from './limit-calls.ts';
import type { KubeRequest, KubeResponse } from './types.ts';

describe('the limit of calls', () => {
  const about = { verb: 'get', resource: 'things', object: 'things' };
  const call: KubeRequest = { method: 'GET', path: '/', mode: 'call', about };
  const answer = (status: number): KubeResponse => ({ status, headers: {}, body: new PassThrough().end().resume() });

  /** The call has its answer, read to the end. */
  const answered = async (sent: Promise<KubeResponse> | undefined) => {
    await sent;
    await new Promise(setImmediate);
  };

  /** A server whose answers the test gives one by one. */
  function setup(most: number) {
    const clock = createManualClock();
    const closing = new AbortController();
    const open: ((status: number) => void)[] = [];
    const send = limitCalls({ least: 1, most, closed: closing.signal, clock })(
      () => new Promise<KubeResponse>((resolve) => open.push((status) => resolve(answer(status)))),
    );
    return { clock, closing, open, send };
  }

  it('lets no more in than it may, and the others in the order they came', async () => {
    const { open, send } = setup(2);
    const calls = [send(call), send(call), send(call)];
    await Promise.resolve();
    expect(open).toHaveLength(2);
    open[0]?.(200);
    await answered(calls[0]);
    expect(open).toHaveLength(3);
  });

  it('lets fewer in after the server had enough', async () => {
    const { clock, open, send } = setup(3);
    await clock.advance(1_000);
    const calls = [1, 2, 3, 4, 5].map(() => send(call));
    await Promise.resolve();
    expect(open).toHaveLength(3);
    open[0]?.(429);
    await answered(calls[0]);
    expect(open).toHaveLength(3);
    open[1]?.(200);
    await answered(calls[1]);
    expect(open).toHaveLength(4);
  });

  it('does not hold up watches and control calls, nor anybody who gave up waiting', async () => {
    const { open, send } = setup(1);
    void send(call);
    const stop = new AbortController();
    const waiting = send({ ...call, signal: stop.signal });
    void send({ ...call, mode: 'stream' });
    void send({ ...call, traffic: 'control' });
    await Promise.resolve();
    expect(open).toHaveLength(3);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });

  it('ends the wait of a call whose time is over, and of all when the connection closes', async () => {
    const { closing, open, send } = setup(1);
    void send(call);
    await expect(send({ ...call, timeoutMs: 5 })).rejects.toBe(timedOut);
    const waiting = send(call);
    closing.abort(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    expect(open).toHaveLength(1);
  });

  it('gives a place back when the answer has been read or broken off, once', async () => {
    const bodies = [new PassThrough(), new PassThrough(), new PassThrough()];
    const sent: number[] = [];
    const send = limitCalls({ most: 1, closed: new AbortController().signal })(async () => {
      const body = bodies[sent.length] as PassThrough;
      sent.push(sent.length);
      return { status: 200, headers: {}, body };
    });
    const calls = [send(call), send(call), send(call)];
    await calls[0];
    expect(sent).toHaveLength(1);
    bodies[0]?.end().resume();
    await calls[1];
    await new Promise(setImmediate);
    expect(sent).toHaveLength(2);
    bodies[1]?.destroy();
    await calls[2];
  });

  it('leaves a call the time that it has not spent waiting', async () => {
    const seen: (number | undefined)[] = [];
    const bodies: PassThrough[] = [];
    const send = limitCalls({ most: 1, closed: new AbortController().signal })(async ({ timeoutMs }) => {
      seen.push(timeoutMs);
      const body = new PassThrough();
      bodies.push(body);
      return { status: 200, headers: {}, body };
    });
    await send({ ...call, timeoutMs: 5_000 });
    const second = send({ ...call, timeoutMs: 5_000 });
    setTimeout(() => bodies[0]?.end().resume(), 20);
    await second;
    expect(seen[0]).toBe(5_000);
    expect(seen[1]).toBeLessThan(5_000);
  });
});
