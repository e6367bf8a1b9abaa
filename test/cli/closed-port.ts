import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  occupant.close();
  await once(occupant, 'close');
  return port;
}
