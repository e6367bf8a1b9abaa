import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import { retry, retryDelayMs } from './retry.ts';
import type { KubeRequest } from './types.ts';

const about = { verb: 'get', resource: 'things', object: 'things' };
const get: KubeRequest = { method: 'GET', path: '/', mode: 'call', about };
const post: KubeRequest = { ...get, method: 'POST' };
const random = () => 0;

const tooMany = (retryAfterSeconds?: number) =>
  new KubeError('KUBE_TOO_MANY_REQUESTS', '', { status: 429, retryAfterSeconds });
const unavailable = (retryAfterSeconds?: number) =>
  new KubeError('KUBE_SERVER_ERROR', '', { status: 503, retryAfterSeconds });
const reset = new KubeError('KUBE_UNREACHABLE', '', { reason: 'ECONNRESET' });
const refused = new KubeError('KUBE_UNREACHABLE', '', { reason: 'ECONNREFUSED' });

describe('retryDelayMs', () => {
  it.each([
    ['a write that was told when to come back', tooMany(2), post, 0, 2000],
    ['a write the server had no time for', tooMany(), post, 0, 25],
    ['a later attempt of the same', tooMany(), post, 3, 200],
    ['an unavailable server that names a time', unavailable(1), post, 0, 1000],
    ['an unavailable server that names none', unavailable(), get, 0, undefined],
    ['a wait beyond reason', tooMany(3600), get, 0, undefined],
    ['a read whose connection broke', reset, get, 0, 25],
    ['a read whose connection broke too often', reset, get, 3, undefined],
    ['a write whose connection broke: it may have happened', reset, post, 0, undefined],
    ['a server that is not there', refused, get, 0, undefined],
    ['a conflict', new KubeError('KUBE_CONFLICT', '', { status: 409 }), post, 0, undefined],
    ['an error of another kind', new TypeError('bug'), get, 0, undefined],
  ])('%s', (_, error, request, attempt, expected) => {
    expect(retryDelayMs(error, request, attempt, { random })).toBe(expected);
  });
});

describe('retry', () => {
  const ok = () => ({ status: 200, headers: {}, body: new PassThrough().end() });

  it('repeats until the request succeeds', async () => {
    let calls = 0;
    const send = retry({ random })(async () => {
      calls += 1;
      if (calls < 3) throw tooMany(0);
      return ok();
    });
    await expect(send(post)).resolves.toMatchObject({ status: 200 });
    expect(calls).toBe(3);
  });

  it('gives the last error back when attempts are used up', async () => {
    let calls = 0;
    const send = retry({ attempts: 2, random })(async () => {
      calls += 1;
      throw tooMany(0);
    });
    await expect(send(post)).rejects.toMatchObject({ code: 'KUBE_TOO_MANY_REQUESTS' });
    expect(calls).toBe(3);
  });

  it('stops waiting when the caller gives up', async () => {
    const abort = new AbortController();
    const send = retry()(async () => {
      setImmediate(() => abort.abort());
      throw tooMany(20);
    });
    await expect(send({ ...post, signal: abort.signal })).rejects.toMatchObject({ code: 'KUBE_TOO_MANY_REQUESTS' });
  });

  it('does not wait for an answer that would come after the time limit of the call', async () => {
    let calls = 0;
    const send = retry({ random })(async () => {
      calls += 1;
      throw tooMany(1);
    });
    await expect(send({ ...post, timeoutMs: 900 })).rejects.toMatchObject({ code: 'KUBE_TOO_MANY_REQUESTS' });
    expect(calls).toBe(1);
  });

  it('gives repetitions only the time that is left', async () => {
    const limits: (number | undefined)[] = [];
    const send = retry({ random })(async (request) => {
      limits.push(request.timeoutMs);
      throw tooMany();
    });
    await expect(send({ ...post, timeoutMs: 100 })).rejects.toMatchObject({ code: 'KUBE_TOO_MANY_REQUESTS' });
    expect(limits[0]).toBe(100);
    expect(limits[1]).toBeLessThanOrEqual(75);
  });
});
