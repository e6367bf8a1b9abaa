import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback whose connections can be broken at will. */
export interface CuttingProxy {
  readonly port: number;
  /** Breaks every connection, as a network that goes away does. Returns how many there were. */
  cut(): number;
  /** Breaks every connection and every new one until `heal` is called. */
  partition(): void;
  /** Keeps every connection and takes new ones, but lets nothing through, as a black hole does, until `heal` is called. */
  freeze(): void;
  /** Lets new connections through; those that were frozen break. */
  heal(): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let partitioned = false;
  let frozen = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    // Small messages must not wait for each other.
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    // Broken connections are what this proxy is for.
    socket.on('error', () => {});
  };
  const server = createServer((client) => {
    if (partitioned) return void client.resetAndDestroy();
    if (frozen) return keep(client);
    const upstream = connect(targetPort, '127.0.0.1');
    keep(client);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    const count = sockets.size;
    for (const socket of sockets) socket.resetAndDestroy();
    return count;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    partition: () => {
      partitioned = true;
      cut();
    },
    freeze: () => {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    heal: () => {
      if (frozen) cut();
      partitioned = false;
      frozen = false;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
