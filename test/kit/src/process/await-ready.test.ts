import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { awaitReady } from './await-ready.ts';
import { type Component, startComponent } from './component.ts';

describe('awaiting readiness', () => {
  let dir: string;
  let component: Component;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kit-ready-'));
  });
  afterEach(async () => {
    await component.kill();
    await rm(dir, { recursive: true });
  });

  async function start(script: string): Promise<void> {
    const logFile = join(dir, 'sample.log');
    component = await startComponent({ name: 'sample', command: '/bin/sh', args: ['-c', script], cwd: dir, logFile });
  }

  it('ends when the component is ready and leaves it running', async () => {
    await start('exec sleep 600');
    let looks = 0;
    await awaitReady(component, async () => ++looks === 3, 60_000);
    expect(looks).toBe(3);
    expect(component.isRunning()).toBe(true);
  });

  it('rejects with the end of the log as soon as the component ends', async () => {
    await start('echo "flag --bogus is unknown"; exit 1');
    const failure = awaitReady(component, async () => false, 60_000);
    await expect(failure).rejects.toMatchObject({ code: 'KLUTCH_KIT_START_FAILED' });
    await expect(failure).rejects.not.toHaveProperty('cause');
    await expect(failure).rejects.toThrow(
      `sample ended before it was ready. The end of its log (${component.logFile}):\nflag --bogus is unknown`,
    );
  });

  it('kills a component that does not become ready in time', async () => {
    await start('echo "still thinking"; exec sleep 600');
    const failure = awaitReady(component, () => Promise.reject(new Error('connection refused')), 200);
    await expect(failure).rejects.toThrow('sample did not become ready');
    await expect(failure).rejects.toMatchObject({ cause: { cause: { message: 'connection refused' } } });
    expect(component.isRunning()).toBe(false);
  });
});
