import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { KubeErrorCode } from '../errors/codes.ts';
import { answerError } from './answer-error.ts';
import { get } from './loopback.fixture.ts';
import type { KubeResponse } from './types.ts';

const target = { server: 'https://api.example.org' };
const answer = (status: number, text: string, headers: KubeResponse['headers'] = {}): KubeResponse => ({
  status,
  headers,
  body: Readable.from([Buffer.from(text)]),
});
const status = (code: number, reason: string, details = {}) =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', code, reason, message: 'said', details });

describe('answerError', () => {
  it.each<[number, string, KubeErrorCode]>([
    [400, 'BadRequest', 'KUBE_INVALID'],
    [401, 'Unauthorized', 'KUBE_UNAUTHORIZED'],
    [403, 'Forbidden', 'KUBE_FORBIDDEN'],
    [404, 'NotFound', 'KUBE_NOT_FOUND'],
    [405, 'MethodNotAllowed', 'KUBE_REQUEST_FAILED'],
    [409, 'AlreadyExists', 'KUBE_ALREADY_EXISTS'],
    [409, 'Conflict', 'KUBE_CONFLICT'],
    [410, 'Expired', 'KUBE_GONE'],
    [422, 'Invalid', 'KUBE_INVALID'],
    [429, 'TooManyRequests', 'KUBE_TOO_MANY_REQUESTS'],
    [504, 'Timeout', 'KUBE_SERVER_ERROR'],
  ])('%i %s is %s', async (code, reason, expected) => {
    expect(await answerError(answer(code, status(code, reason)), get, target)).toMatchObject({
      code: expected,
      status: code,
      reason,
      object: 'version',
      message: expect.stringContaining('said'),
    });
  });

  it.each([
    ['exceeded quota: q, requested: pods=1', /or ask an administrator of the cluster to raise the quota\.$/],
    ['User "u" cannot get resource "pods"', /Ask an administrator of the cluster for this permission\.$/],
  ])('says what to do about a refusal: %s', async (message, advice) => {
    const said = JSON.stringify({ kind: 'Status', apiVersion: 'v1', reason: 'Forbidden', message });

    expect((await answerError(answer(403, said), get, target)).message).toMatch(advice);
  });

  it('takes the 404 of a web server for what it is, and that of an API server for a missing resource type', async () => {
    const html = answer(404, '<html>no such page</html>', { 'content-type': 'text/html; charset=utf-8' });
    expect(await answerError(html, get, target)).toMatchObject({ code: 'KUBE_NOT_KUBERNETES' });
    const plain = answer(404, '404 page not found\n', { 'content-type': 'text/plain; charset=utf-8' });
    expect(await answerError(plain, get, target)).toMatchObject({ code: 'KUBE_NOT_FOUND', body: undefined });
  });

  it('understands when to come back as seconds, as a date, and from the Status', async () => {
    const at = (header: string | undefined, details = {}) =>
      answerError(answer(429, status(429, 'TooManyRequests', details), { 'retry-after': header }), get, target);
    expect(await at('7')).toMatchObject({ retryAfterSeconds: 7 });
    const soon = await at(new Date(Date.now() + 20_000).toUTCString());
    expect(soon.retryAfterSeconds).toBeGreaterThan(15);
    expect(soon.retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(await at(new Date(0).toUTCString())).toMatchObject({ retryAfterSeconds: 0 });
    expect(await at(undefined, { retryAfterSeconds: 3 })).toMatchObject({ retryAfterSeconds: 3 });
    expect(await at('soon', { retryAfterSeconds: 3 })).toMatchObject({ retryAfterSeconds: 3 });
    expect(await at('')).toMatchObject({ retryAfterSeconds: undefined });
  });
});
