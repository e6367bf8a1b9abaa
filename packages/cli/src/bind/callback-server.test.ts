import { request } from 'node:http';
import { apiVersion, type BindingResponse, encodeBindingResponse, KlutchError } from '@klutch/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CallbackOptions, startCallbackServer } from './callback-server.ts';
import { forCredential } from './login-purpose.ts';

const responseOf = (sid: string): BindingResponse => ({
  apiVersion,
  kind: 'BindingResponse',
  authentication: { oauth2CodeGrant: { sid, id: 'https://issuer.example/jane' } },
  kubeconfig: Buffer.from('the-kubeconfig').toString('base64'),
  requests: [
    {
      apiVersion,
      kind: 'APIServiceExportRequest',
      metadata: { name: 'widgets.example.org' },
      spec: { resources: [{ group: 'example.org', resource: 'widgets' }] },
    },
  ],
});
const parameter = (sid: string) => `response=${encodeURIComponent(encodeBindingResponse(responseOf(sid)))}`;

async function waiting(options: Partial<CallbackOptions<BindingResponse>> = {}) {
  const refused: string[] = [];
  const redeem = async (): Promise<BindingResponse> => {
    throw new KlutchError('KLUTCH_LOGIN_STATE_INVALID', 'The code is not valid.');
  };
  const server = await startCallbackServer({
    sessionId: 'mine',
    redeem,
    sessionOf: forCredential.sessionOf,
    decode: forCredential.decode,
    onRefused: (why) => void refused.push(why),
    ...options,
  });
  onTestFinished(() => server.close());
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return { status: answer.status, url: answer.url, text: await answer.text(), headers: answer.headers };
  };
  return { server, get, refused, interruption: new AbortController() };
}

/** A request that names another host, as a page of somebody else would. */
async function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path: `/callback?${parameter('mine')}`, headers: { host } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.once('error', reject).end();
  });
}

describe('the callback server', () => {
  it('takes the answer of its login and shows a page without it', async () => {
    const { server, get, interruption } = await waiting();
    const answer = server.answer(interruption.signal);

    const page = await get(`/callback?${parameter('mine')}`);

    expect(await answer).toEqual(responseOf('mine'));
    expect(page).toMatchObject({ status: 200, url: `http://127.0.0.1:${server.port}/done` });
    expect(page.text).toContain('You are logged in');
    expect(page.text + page.url).not.toMatch(/kubeconfig|response=/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('CLI-07 refuses everything else and goes on waiting', async () => {
    const { server, get, refused, interruption } = await waiting();
    const answer = server.answer(interruption.signal);
    const statuses: number[] = [];
    for (const query of [parameter('theirs'), 'response=!', 'response=', 'code=guessed', '']) {
      statuses.push((await get(`/callback?${query}`)).status);
    }
    statuses.push((await get('/done')).status, (await get('/other')).status);

    expect(statuses).toEqual([400, 400, 400, 400, 400, 404, 404]);
    expect(refused).toHaveLength(5);
    await get(`/callback?${parameter('mine')}`);
    expect(await answer).toEqual(responseOf('mine'));
  });

  it('CLI-07 compares the session of what a code was redeemed for', async () => {
    const codes: string[] = [];
    const redeem = async (code: string) => responseOf(codes.push(code) === 1 ? 'theirs' : 'mine');
    const { server, get, interruption } = await waiting({ redeem });
    const answer = server.answer(interruption.signal);

    expect([(await get('/callback?code=a')).status, (await get('/callback?code=b')).status]).toEqual([400, 200]);
    expect(await answer).toEqual(responseOf('mine'));
    expect(codes).toEqual(['a', 'b']);
  });

  it('ends with the reason of the provider when it refuses this very login', async () => {
    const { server, get, interruption, refused } = await waiting();
    const answer = server.answer(interruption.signal);
    answer.catch(() => undefined);

    const forged = await get('/callback?code=x&sid=theirs');
    const genuine = await get('/callback?code=x&sid=mine');

    expect([forged.status, genuine.status, refused.length]).toEqual([400, 400, 1]);
    expect(genuine.text).toContain('The code is not valid. The command in your terminal has ended');
    await expect(answer).rejects.toMatchObject({ code: 'KLUTCH_LOGIN_STATE_INVALID' });
  });

  it('says so when it was answered already', async () => {
    const { get } = await waiting();
    await get(`/callback?${parameter('mine')}`);

    expect((await get(`/callback?${parameter('theirs')}`)).text).toContain('logged in already');
  });

  it.each([
    ['evil.example', 400],
    ['localhost', 303],
    ['[::1]:80', 303],
  ])('answers calls for %s with %d', async (host, status) => {
    const { server } = await waiting();

    expect(await statusFor(server.port, host)).toBe(status);
  });

  it('takes no other method', async () => {
    const { server } = await waiting();
    const answer = await fetch(`http://127.0.0.1:${server.port}/callback?${parameter('mine')}`, { method: 'POST' });

    expect(answer.status).toBe(405);
  });

  it('CLI-08 stops waiting when it is told to, and closes its port', async () => {
    const { server, get, interruption } = await waiting();
    const answer = server.answer(interruption.signal);
    interruption.abort(new Error('enough'));

    await expect(answer).rejects.toThrow('enough');
    await server.close();
    await expect(get('/callback')).rejects.toThrow();
  });

  it('does not show what somebody else wrote as a part of its page', async () => {
    const redeem = async (): Promise<BindingResponse> => {
      throw new KlutchError('KLUTCH_LOGIN_STATE_INVALID', '<script>alert(1)</script>');
    };
    const { get } = await waiting({ redeem });

    expect((await get('/callback?code=x')).text).not.toContain('<script>');
  });
});
