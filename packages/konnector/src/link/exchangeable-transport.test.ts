import type { KubeRequest, Transport } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { createExchangeableTransport } from './exchangeable-transport.ts';

function transport(server: string) {
  const state = { isClosed: false };
  const self: Transport = {
    server,
    send: () => Promise.reject(new Error(`${server} was asked`)),
    json: async <T>() => server as T,
    close: async () => {
      state.isClosed = true;
    },
  };
  return { self, state };
}

const request: KubeRequest = {
  method: 'GET',
  path: '/',
  mode: 'call',
  about: { verb: 'get', resource: 'x', object: 'x' },
};

describe('a transport that can be exchanged', () => {
  it('goes the new way from one request to the next, and closes the old one', async () => {
    const [a, b] = [transport('a'), transport('b')];
    const exchangeable = createExchangeableTransport(a.self);
    expect([exchangeable.server, await exchangeable.json(request)]).toEqual(['a', 'a']);

    await exchangeable.exchange(b.self);

    expect([exchangeable.server, await exchangeable.json(request)]).toEqual(['b', 'b']);
    await expect(exchangeable.send(request)).rejects.toThrow('b was asked');
    expect([a.state.isClosed, b.state.isClosed]).toEqual([true, false]);
    await exchangeable.close();
    expect(b.state.isClosed).toBe(true);
  });
});
