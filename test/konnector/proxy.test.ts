import { eventually } from '@klutch/kube/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { startProxy } from '../cli/behind-proxy.ts';
import { startKonnector } from '../../packages/konnector/src/index.ts';
import { konnectorOptions, localConfig, runKonnector } from './run-konnector.ts';
import { bound } from './bound.ts';
import { onBothTiers, widget } from './world.ts';

const host = 'control-plane.example.test';

onBothTiers('a konnector behind a proxy', (clusters) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('reaches control planes through the proxy of its environment, and its own cluster directly', async () => {
    const { api, tenant, side } = await bound(clusters());
    const { port } = new URL(tenant.door.url);
    const proxy = await startProxy(() => Number(port));
    const far = (await tenant.offered()).replace(
      tenant.door.url,
      `https://${host}:443\n      tls-server-name: localhost`,
    );
    await tenant.offer(far);
    await side.storeKubeconfig(far);
    vi.stubEnv('HTTPS_PROXY', proxy.url);

    const konnector = await runKonnector(side, { apis: [api] });
    await side.condition(api, 'Ready', 'True');
    const namespace = (await side.namespace()).metadata.name;
    await side.cluster.admin.resource(api.type).create(widget(api, 'w', namespace, { size: 1 }));
    const service = await tenant.serviceNamespace(namespace);
    const copies = clusters().controlPlane.admin.resource(api.type);
    await eventually(() => copies.find({ namespace: service, name: 'w' }), { withinMs: 25_000, everyMs: 20 });

    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}:443`]));
    await konnector.stop();
    await tenant.close();
  });

  it('does not start with a proxy that cannot be one', async () => {
    const { api, tenant, side } = await bound(clusters());
    vi.stubEnv('HTTPS_PROXY', 'ftp://proxy');
    const options = konnectorOptions(side, await localConfig(side, { apis: [api] }));
    const { ready, stopped } = startKonnector(options, { signal: new AbortController().signal });

    await expect(ready).rejects.toThrow('The variable HTTPS_PROXY does not name an http or https proxy');
    await expect(stopped).rejects.toThrow('HTTPS_PROXY');
    await tenant.close();
  });
});
