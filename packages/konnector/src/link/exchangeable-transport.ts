import type { Transport } from '@klutch/kube';

/** A transport whose way to the server can be changed under the hands of those who use it. */
export interface ExchangeableTransport extends Transport {
  /**
   * Sends all further requests through `next`, and closes the one before: what is under way on it fails, and whoever
   * sent it tries again with the new credentials.
   */
  exchange(next: Transport): Promise<void>;
}

/** A transport that begins with `first`, which belongs to it from now on. */
export function createExchangeableTransport(first: Transport): ExchangeableTransport {
  let current = first;
  return {
    get server() {
      return current.server;
    },
    send: (request) => current.send(request),
    json: (request) => current.json(request),
    exchange: async (next) => {
      const old = current;
      current = next;
      await old.close();
    },
    close: () => current.close(),
  };
}
