import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

import { isAlive, ownIdentity } from './process-identity.ts';

describe('process identity', () => {
  it('knows that the calling process lives', () => {
    expect(ownIdentity().pid).toBe(process.pid);
    expect(isAlive(ownIdentity())).toBe(true);
  });

  it.runIf(process.platform === 'linux')('is not fooled by another process under the same id', () => {
    const { pid, startTicks } = ownIdentity();
    expect(isAlive({ pid, startTicks: startTicks - 1 })).toBe(false);
  });

  it('falls back to the bare id where the system tells no start time', () => {
    expect(isAlive({ pid: process.pid, startTicks: 0 })).toBe(true);
  });

  it('knows that an ended process is dead', async () => {
    const child = spawn('true');
    const { pid } = child;
    await once(child, 'exit');
    expect(isAlive({ pid: Number(pid), startTicks: 0 })).toBe(false);
    expect(isAlive({ pid: Number(pid), startTicks: 1 })).toBe(false);
  });
});
