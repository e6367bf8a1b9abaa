import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** What listens in a sandbox. */
export const listeners = ['controlPlane', 'appCluster', 'issuer', 'backend'] as const;
export type ListenerName = (typeof listeners)[number];

/** A port of 127.0.0.1 for each. */
export type Ports = Readonly<Record<ListenerName, number>>;

/** Below those that systems hand out for connections, so that they are likely to be free the next time. */
export const usualPorts: Ports = { controlPlane: 16_443, appCluster: 16_444, issuer: 16_445, backend: 16_446 };

/** A listener that could not have the port it had before. */
export interface Moved {
  readonly name: ListenerName;
  readonly from: number;
  readonly to: number;
}

export interface PortChoice {
  readonly ports: Ports;
  readonly moved: readonly Moved[];
}

/**
 * The wanted ports where they are free, and others where not. Somebody may still take one before it is used; whoever
 * listens on it is told then.
 */
export async function choosePorts(wanted: Ports, host: PortHost = loopback): Promise<PortChoice> {
  const chosen = new Map<ListenerName, number>();
  const moved: Moved[] = [];
  for (const name of listeners) {
    const from = wanted[name];
    const isTaken = from !== 0 && ([...chosen.values()].includes(from) || !(await host.isFree(from)));
    const to = from === 0 || isTaken ? await host.anyFree() : from;
    chosen.set(name, to);
    if (isTaken) moved.push({ name, from, to });
  }
  return { ports: Object.fromEntries(chosen) as Record<ListenerName, number>, moved };
}

/** Knows which ports there are. */
export interface PortHost {
  isFree(port: number): Promise<boolean>;
  anyFree(): Promise<number>;
}

const loopback: PortHost = {
  isFree: async (port) => (await tryListening(port)) !== undefined,
  anyFree: async () => {
    const port = await tryListening(0);
    if (port === undefined) throw new Error('the system has no free port on 127.0.0.1');
    return port;
  },
};

async function tryListening(port: number): Promise<number | undefined> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return found;
}
