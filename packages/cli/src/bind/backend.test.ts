import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBackend } from './backend.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A backend that gives these answers one after the other, the last one for ever. */
async function backendWith(...answers: readonly Answer[]) {
  const asked: { path: string; body: string; authorization?: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => void (body += part));
    request.on('end', () => {
      asked.push({ path: request.url ?? '', body, authorization: request.headers.authorization });
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
      response.writeHead(answer.status ?? 200, answer.headers).end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/klutch`;
  return { asked, base, backend: openBackend(`${base}/export?x=1`, { timeoutMs: 30_000 }) };
}

const response = {
  apiVersion: 'klutch.anynines.com/v1alpha1',
  kind: 'BindingResponse',
  kubeconfig: 'eA==',
  requests: [
    {
      apiVersion: 'klutch.anynines.com/v1alpha1',
      kind: 'APIServiceExportRequest',
      metadata: { name: 'widgets.example.org' },
      spec: { resources: [{ group: 'example.org', resource: 'widgets' }] },
      // As the Go backend sends it.
      status: {},
    },
  ],
};
const request = { clusterID: 'abc', apis: [{ group: 'example.org', resource: 'widgets' }] };

describe('the backend', () => {
  it('is found beside the address of its description', async () => {
    const { asked, backend } = await backendWith({ body: response });

    await backend.redeem('the-code', 'the-verifier');
    await backend.bindNonInteractive(request, 'the-token');

    expect(asked).toEqual([
      { path: '/klutch/redeem', body: '{"code":"the-code","verifier":"the-verifier"}', authorization: undefined },
      { path: '/klutch/bind-noninteractive', body: JSON.stringify(request), authorization: 'Bearer the-token' },
    ]);
  });

  it.each([429, 500, 503])('is asked again after %d', async (status) => {
    const { asked, backend } = await backendWith({ status, headers: { 'retry-after': '0' } }, { body: response });

    expect(await backend.bindNonInteractive(request, 't')).toMatchObject({ kind: 'BindingResponse' });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['as it is', { code: 'KLUTCH_NOT_ENTITLED', message: 'Not for you.' }],
    ['below error', { error: { code: 'KLUTCH_NOT_ENTITLED', message: 'Not for you.' } }],
  ])('tells its error: %s', async (_, body) => {
    const { asked, backend } = await backendWith({ status: 403, body });

    await expect(backend.bindNonInteractive(request, 't')).rejects.toMatchObject({
      code: 'KLUTCH_NOT_ENTITLED',
      message: 'Not for you.',
    });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['an error it does not explain', { status: 403, body: 'no' }, /answered 403; try again/],
    [
      'an unknown code',
      { status: 400, body: { code: 'X', message: 'Hm\u001b[31m' } },
      /answered 400: Hm \[31m; try again/,
    ],
    [
      'an address it does not have',
      { status: 404, headers: { 'content-type': 'text/html' } },
      /answered 404 with a web page; this backend does not offer that/,
    ],
  ])('is quoted with address and status after %s', async (_, answer, text) => {
    const { base, backend } = await backendWith(answer);
    const error = await backend.redeem('c', 'v').catch((caught: unknown) => caught as Error);

    expect(error).toMatchObject({
      code: 'KLUTCH_PROVIDER_UNREACHABLE',
      message: expect.stringMatching(text) as string,
    });
    expect(String(error)).toContain(`The address ${base}/redeem answered`);
  });

  it('never has an answer repeated that is no BindingResponse', async () => {
    const { backend } = await backendWith({ body: '{"token": "hush"' });
    const error = await backend.redeem('c', 'v').catch((caught: unknown) => caught as Error);

    expect(error).toMatchObject({ code: 'KLUTCH_BINDING_RESPONSE_INVALID' });
    expect(String(error)).not.toContain('hush');
  });

  it('hands out codes for other machines, and is patient', async () => {
    const login = {
      device: 'd',
      userCode: 'u',
      verificationUri: 'https://x.example',
      verificationUriComplete: 'https://x.example?u',
    };
    const { asked, backend } = await backendWith(
      { body: login },
      { status: 202, body: { status: 'pending', interval: 7 } },
      { status: 202 },
      { body: response },
    );

    expect(await backend.startDeviceLogin(request)).toEqual({ ...login, intervalSeconds: 5, expiresInSeconds: 600 });
    const answers = [];
    for (let round = 0; round < 3; round++) answers.push(await backend.deviceToken('d'));
    expect(answers).toEqual([{ intervalSeconds: 7 }, { intervalSeconds: undefined }, { response }]);
    expect(asked.map(({ path }) => path)).toEqual(['/klutch/device', ...Array<string>(3).fill('/klutch/device/token')]);
    expect(asked[1]?.body).toBe('{"device":"d"}');
  });

  it('is not believed when it hands out none', async () => {
    const { backend } = await backendWith({ body: { userCode: 'u' } });

    await expect(backend.startDeviceLogin(request)).rejects.toMatchObject({ code: 'KLUTCH_PROVIDER_INVALID' });
  });

  it('stops asking when the user interrupts', async () => {
    const { backend } = await backendWith({ status: 503, headers: { 'retry-after': '30' } });
    const interruption = new AbortController();
    const asking = backend.bindNonInteractive(request, 't', interruption.signal);

    interruption.abort(new Error('enough'));

    await expect(asking).rejects.toThrow('enough');
  });
});
