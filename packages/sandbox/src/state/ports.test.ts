import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { choosePorts, type PortHost, type Ports } from './ports.ts';

const wanted: Ports = { controlPlane: 1, appCluster: 2, issuer: 3, backend: 4 };

function host(taken: readonly number[]): PortHost {
  let next = 100;
  return { isFree: async (port) => !taken.includes(port), anyFree: async () => next++ };
}

describe('ports of a sandbox', () => {
  it('are those of the last time when they are free', async () => {
    expect(await choosePorts(wanted, host([]))).toEqual({ ports: wanted, moved: [] });
  });

  it('are others where somebody has taken one', async () => {
    expect(await choosePorts(wanted, host([2, 4]))).toEqual({
      ports: { ...wanted, appCluster: 100, backend: 101 },
      moved: [
        { name: 'appCluster', from: 2, to: 100 },
        { name: 'backend', from: 4, to: 101 },
      ],
    });
  });

  it('are any that are free when none is wanted, which is no move', async () => {
    const choice = await choosePorts({ ...wanted, issuer: 0 }, host([]));
    expect(choice).toEqual({ ports: { ...wanted, issuer: 100 }, moved: [] });
  });

  it('are never the same twice', async () => {
    const { ports } = await choosePorts({ controlPlane: 1, appCluster: 1, issuer: 1, backend: 1 }, host([]));
    expect(new Set(Object.values(ports)).size).toBe(4);
  });

  it('are tried out on this machine', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => void holder.close());
    const { port } = holder.address() as AddressInfo;
    const { ports, moved } = await choosePorts({ controlPlane: port, appCluster: 0, issuer: 0, backend: 0 });
    expect(moved).toEqual([{ name: 'controlPlane', from: port, to: ports.controlPlane }]);
    expect(ports.controlPlane).toBeGreaterThan(0);
  });
});
