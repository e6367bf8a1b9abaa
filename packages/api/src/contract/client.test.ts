import { describe, expect, it } from 'vitest';
import { KlutchError } from '../errors/klutch-error.ts';
import { createContractClient } from './client.ts';
import {
  beginDeviceLogin,
  bindMachine,
  describeProvider,
  finishDeviceLogin,
  finishRotation,
  redeemCode,
  rotateCredential,
} from './endpoints.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

type Scripted = (Partial<Omit<WireAnswer, 'text'>> & { readonly body?: unknown }) | 'broken';

/** A backend that gives these answers one after the other, the last one for ever. */
function backendWith(...answers: readonly Scripted[]) {
  const asked: WireRequest[] = [];
  const waited: number[] = [];
  const backend = createContractClient({
    url: 'https://acme.example/klutch/export?x=1',
    send: async (request) => {
      asked.push(request);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
      if (answer === 'broken') throw new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', 'The connection broke.');
      const { body = {}, ...rest } = answer;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { url: request.url.replace(/\?.*/, ''), status: 200, contentType: '', text, ...rest };
    },
    pause: async (milliseconds) => void waited.push(milliseconds),
  });
  return { asked, waited, backend };
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
const provider = {
  apiVersion: 'v1alpha1',
  kind: 'BindingProvider',
  providerPrettyName: 'Acme',
  version: 'v1.5.0',
  authenticationMethods: [],
};

describe('the client of a backend', () => {
  it('asks for the description at the address as it was given, and for everything else beside it', async () => {
    const { asked, backend } = backendWith({ body: provider }, { body: response });

    await backend.call(describeProvider, undefined);
    await backend.call(redeemCode, { code: 'the-code', verifier: 'the-verifier' });
    await backend.call(bindMachine, request, { token: 'the-token' });

    const json = { 'content-type': 'application/json' };
    const base = 'https://acme.example/klutch';
    expect(asked).toEqual([
      { method: 'GET', url: `${base}/export?x=1`, headers: {} },
      { method: 'POST', url: `${base}/redeem`, headers: json, body: '{"code":"the-code","verifier":"the-verifier"}' },
      {
        method: 'POST',
        url: `${base}/bind-noninteractive`,
        headers: { ...json, authorization: 'Bearer the-token' },
        body: JSON.stringify(request),
      },
    ]);
  });

  it.each<[string, Scripted]>([
    ['429', { status: 429, retryAfterSeconds: 7 }],
    ['503', { status: 503, retryAfterSeconds: 7 }],
    ['a broken connection', 'broken'],
  ])('repeats a bind after %s, when it was told to or a moment later', async (_, first) => {
    const { asked, waited, backend } = backendWith(first, { body: response });

    expect(await backend.call(bindMachine, request, { token: 't' })).toMatchObject({ kind: 'BindingResponse' });
    expect(asked).toHaveLength(2);
    expect(waited).toEqual([first === 'broken' ? 500 : 7_000]);
  });

  it('does not repeat for ever, and a rotation not at all', async () => {
    const { asked, backend } = backendWith({ status: 502 });

    await expect(backend.call(redeemCode, { code: 'c', verifier: 'v' })).rejects.toThrow(/answered 502; try again/);
    expect(asked).toHaveLength(3);
    await expect(backend.call(rotateCredential, undefined, { token: 't' })).rejects.toThrow(/answered 502; try again/);
    expect(asked).toHaveLength(4);
  });

  it.each([
    ['as it is', { code: 'KLUTCH_NOT_ENTITLED', message: 'Not for you.' }],
    ['below error', { error: { code: 'KLUTCH_NOT_ENTITLED', message: 'Not for you.' } }],
  ])('throws the error that a backend describes: %s', async (_, body) => {
    const { asked, backend } = backendWith({ status: 403, body });

    await expect(backend.call(bindMachine, request, { token: 't' })).rejects.toMatchObject({
      code: 'KLUTCH_NOT_ENTITLED',
      message: 'Not for you.',
    });
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Scripted, string, RegExp]>([
    ['an error it does not explain', { status: 403, body: 'no' }, 'KLUTCH_PROVIDER_UNREACHABLE', /403; try again/],
    [
      'an unknown code',
      { status: 400, body: { code: 'X', message: 'Hm\u001b[31m' } },
      'KLUTCH_PROVIDER_UNREACHABLE',
      /answered 400: Hm \[31m; try again/,
    ],
    [
      'an address it does not have',
      { status: 404, contentType: 'text/html' },
      'KLUTCH_BACKEND_TOO_OLD',
      /answered 404 with a web page; this backend does not offer that/,
    ],
    [
      'an address that an older one of ours does not have',
      { status: 404, body: { code: 'KLUTCH_REQUEST_INVALID', message: 'There is nothing at this address.' } },
      'KLUTCH_BACKEND_TOO_OLD',
      /answered 404: There is nothing at this address\.; this backend does not offer that/,
    ],
  ])('names address and status after %s', async (_, answer, code, text) => {
    const { backend } = backendWith(answer);
    const error = await backend.call(redeemCode, { code: 'c', verifier: 'v' }).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code, message: expect.stringMatching(text) as string });
    expect(String(error)).toContain('The address https://acme.example/klutch/redeem answered');
  });

  it('tells users of a wrong address what addresses look like', async () => {
    const page = { contentType: 'text/html', body: '<html></html>' };
    const ask = (answer: Scripted) => backendWith(answer).backend.call(describeProvider, undefined);

    await expect(ask({ status: 502, ...page })).rejects.toThrow(
      'The address https://acme.example/klutch/export answered 502 with a web page in place of the description of a provider',
    );
    await expect(ask(page)).rejects.toMatchObject({
      code: 'KLUTCH_PROVIDER_INVALID',
      message: expect.stringMatching(/answered 200 with a web page, .* it usually ends in \/export/) as string,
    });
  });

  it('never repeats an answer that is not as described', async () => {
    const ask = { code: 'c', verifier: 'v' };
    const { backend } = backendWith(
      { body: '{"token": "hush"' },
      { body: { namespace: 'n', kubeconfig: 7, x: 'hush' } },
    );
    const errors = [
      await backend.call(redeemCode, ask).catch((caught: unknown) => caught),
      await backend.call(rotateCredential, undefined, { token: 't' }).catch((caught: unknown) => caught),
    ];

    expect(errors).toMatchObject([{ code: 'KLUTCH_BINDING_RESPONSE_INVALID' }, { code: 'KLUTCH_PROVIDER_INVALID' }]);
    expect(String(errors[1])).toMatch(/\/rotate is not as it should be: kubeconfig: expected text\./);
    expect(errors.map(String).join()).not.toContain('hush');
  });

  it('yields that a login elsewhere goes on, and its end', async () => {
    const waiting = [{ error: 'authorization_pending' }, { error: 'slow_down' }];
    const { backend } = backendWith(...waiting.map((body) => ({ status: 400, body })), { body: response });
    const ask = () => backend.call(finishDeviceLogin, { device_code: 'd' });

    expect([await ask(), await ask(), await ask()]).toEqual([...waiting, response]);
  });

  it('does not wait on words that it does not know', async () => {
    const { backend } = backendWith({ status: 400, body: { error: 'expired_token' } });

    await expect(backend.call(finishDeviceLogin, { device_code: 'd' })).rejects.toThrow(/answered 400/);
  });

  it('does not believe in a login without a code', async () => {
    const { backend } = backendWith({ body: { user_code: 'u' } });

    await expect(backend.call(beginDeviceLogin, request)).rejects.toMatchObject({ code: 'KLUTCH_PROVIDER_INVALID' });
  });

  it('takes 204 as success where no answer is described, and nothing else', async () => {
    const { backend } = backendWith({ status: 204, body: '' }, { status: 200 });

    expect(await backend.call(finishRotation, undefined, { token: 't' })).toBeUndefined();
    await expect(backend.call(finishRotation, undefined, { token: 't' })).rejects.toThrow(/answered 200/);
  });

  it('stops asking when the user interrupts', async () => {
    const { backend } = backendWith({ status: 503, retryAfterSeconds: 30 });
    const interruption = new AbortController();
    const asking = backend.call(bindMachine, request, { token: 't', signal: interruption.signal });

    interruption.abort(new Error('enough'));

    await expect(asking).rejects.toThrow('enough');
  });
});
