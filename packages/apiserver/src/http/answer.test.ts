import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { notFound, StatusError } from '../status/status-error.ts';
import { StorageError } from '../storage/index.ts';
import { type Answer, errorAnswer, PageNotFound, sendAnswer, warningHeaders } from './answer.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** What a client receives when a server sends the answer. */
async function receive(answer: Answer, options: Options = {}) {
  const server = createServer((_, response) => {
    void sendAnswer(response, answer, options.format ?? 'json', options.warnings ?? []);
  });
  server.listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port, path: options.path ?? '/', agent: false, ...options });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(await response.toArray()) };
}

interface Options extends RequestOptions {
  readonly format?: 'json' | 'yaml';
  readonly warnings?: readonly string[];
}

const object = { code: 200, text: '{"b":1,"a":[{"c":null}]}' };

describe('the answer to a write that could not be stored', () => {
  it('says what is the matter, without the files of the server, and when to come back', () => {
    const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const unexpected: unknown[] = [];
    const failure = new StorageError('KLUTCH_STORE_FAILED', 'writing to /secret/log failed', { cause });
    const { code, text, headers } = errorAnswer(failure, (error) => unexpected.push(error));

    expect([code, headers, unexpected]).toEqual([503, { 'retry-after': '1' }, []]);
    expect(JSON.parse(text)).toMatchObject({
      reason: 'ServiceUnavailable',
      message: 'the server cannot store changes at the moment (ENOSPC); nothing was changed, and reads go on',
    });
  });
});

describe('an answer', () => {
  it('is one line of JSON that nobody keeps', async () => {
    const { status, headers, body } = await receive(object);

    expect([status, body.toString()]).toEqual([200, `${object.text}\n`]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(object.text.length + 1),
      'cache-control': 'no-cache, private',
      'audit-id': expect.stringMatching(/^[-0-9a-f]{36}$/) as string,
    });
  });

  it('repeats the id by which the client will find it', async () => {
    const { headers } = await receive(object, { headers: { 'audit-id': 'mine' } });

    expect(headers['audit-id']).toBe('mine');
  });

  it.each([
    ['who asks for it', { path: '/?pretty=true' }, true],
    ['with curl', { headers: { 'user-agent': 'curl/8.0' } }, true],
    ['with curl who do not want it', { path: '/?pretty=0', headers: { 'user-agent': 'curl/8.0' } }, false],
    ['with a program', { headers: { 'user-agent': 'kubectl/v1.32' } }, false],
  ])('is easy to read for those %s: %j', async (_, options, isPretty) => {
    const { body } = await receive(object, options);

    expect(body.toString().includes('\n  "b": 1')).toBe(isPretty);
    expect(JSON.parse(body.toString())).toEqual(JSON.parse(object.text));
  });

  it('is YAML on demand, with sorted keys', async () => {
    const { headers, body } = await receive(object, { format: 'yaml' });

    expect([headers['content-type'], body.toString()]).toEqual(['application/yaml', 'a:\n  - c: null\nb: 1\n']);
  });

  it('is what its headers say', async () => {
    const plain = { code: 200, text: 'ok', headers: { 'content-type': 'text/plain' } };
    const { headers, body } = await receive(plain, { format: 'yaml' });

    expect([headers['content-type'], body.toString()]).toEqual(['text/plain', 'ok']);
  });

  it('without a body has no type', async () => {
    const { status, headers, body } = await receive({ code: 304, text: '', headers: { etag: '"x"' } });

    expect([status, headers['content-type'], headers.etag, body.length]).toEqual([304, undefined, '"x"', 0]);
  });

  it('of a HEAD request has headers only', async () => {
    const { headers, body } = await receive(object, { method: 'HEAD' });

    expect([headers['content-length'], body.length]).toEqual([String(object.text.length + 1), 0]);
  });

  it('is compressed when it is large and the client takes that', async () => {
    const large = { code: 200, text: JSON.stringify({ data: 'x'.repeat(200_000) }) };
    const headers = { 'accept-encoding': 'br, gzip;q=0.5' };
    const zipped = await receive(large, { headers });

    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).toString()).toBe(`${large.text}\n`);
    expect((await receive(large)).headers['content-encoding']).toBeUndefined();
    expect((await receive(object, { headers })).headers['content-encoding']).toBeUndefined();
  });

  it('carries each warning once', async () => {
    const { headers } = await receive(object, { warnings: ['old "thing"', 'odd', 'odd'] });

    expect(headers['warning']).toBe('299 - "old \\"thing\\"", 299 - "odd"');
    expect(warningHeaders([])).toEqual({});
  });
});

describe('the answer to a failure', () => {
  const unexpected: unknown[] = [];
  const answerTo = (error: unknown) => errorAnswer(error, (problem) => unexpected.push(problem));

  it('is the status of an error that is meant for clients', () => {
    const error = notFound({ group: '', resource: 'secrets' }, 'a');

    expect(answerTo(error)).toEqual({ code: 404, text: JSON.stringify(error.toStatus()), headers: undefined });
  });

  it('says when to come back', () => {
    const error = new StatusError(504, 'Timeout', 'later', { retryAfterSeconds: 3 });

    expect(answerTo(error).headers).toEqual({ 'retry-after': '3' });
  });

  it('is plain text where there is no API', () => {
    expect(answerTo(new PageNotFound())).toMatchObject({ code: 404, text: '404 page not found\n' });
  });

  it('does not tell clients of bugs, but somebody', () => {
    const bug = new Error('secret detail');
    const { code, text } = answerTo(bug);

    expect([code, text.includes('secret detail')]).toEqual([500, false]);
    expect(unexpected).toEqual([bug]);
  });
});
