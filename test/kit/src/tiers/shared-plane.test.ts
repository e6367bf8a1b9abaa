import { access } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

import { createNamespace, describeReal, sharedPlane } from '../vitest/index.ts';
import { askForSharedPlane } from './ask-for-shared-plane.ts';
import { hostSharedPlane } from './shared-plane-host.ts';

describe('host of the shared plane', () => {
  it('starts nothing while nobody asks', async () => {
    let starts = 0;
    const host = await hostSharedPlane(() => Promise.reject(new Error(`start ${++starts}`)));
    await host.close();
    expect(starts).toBe(0);
    await expect(access(host.socketPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('starts once for all who ask, and tells each of them why it failed', async () => {
    let starts = 0;
    const host = await hostSharedPlane(() => Promise.reject(new Error(`start ${++starts} failed`)));
    for (const ask of [askForSharedPlane, askForSharedPlane]) {
      await expect(ask(host.socketPath)).rejects.toMatchObject({
        code: 'KLUTCH_KIT_START_FAILED',
        message: 'start 1 failed',
      });
    }
    await host.close();
  });
});

describe('planes of several names', () => {
  it('are started separately', async () => {
    let starts = 0;
    const host = await hostSharedPlane(() => Promise.reject(new Error(`start ${++starts} failed`)));
    for (const [name, start] of [
      ['app', 1],
      ['other', 2],
      ['app', 1],
    ] as const) {
      await expect(askForSharedPlane(host.socketPath, name)).rejects.toThrow(`start ${start} failed`);
    }
    await host.close();
  });
});

describeReal('the shared plane', () => {
  it('is the same for all who ask', async () => {
    const [one, two] = await Promise.all([sharedPlane(), sharedPlane()]);
    expect(two.url).toBe(one.url);
    const namespace = await createNamespace(one, 'shared');
    expect(namespace).toMatch(/^shared-\w+$/);
    expect((await two.admin.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(200);
  });

  it('accepts users created in this process', async () => {
    const plane = await sharedPlane();
    const user = await plane.certificateUser({ name: 'jane', groups: ['system:masters'] });
    expect((await user.request('GET', '/api/v1/namespaces')).status).toBe(200);
  });

  it('reports why a namespace cannot be created', async () => {
    const plane = await sharedPlane();
    await expect(createNamespace(plane, 'Not_A_Name')).rejects.toThrow(/cannot create a namespace: .*Not_A_Name/);
  });
});
