import { ConfigMaps, connect, informerSource, loadKubeconfig, refOf, runController, startInformer } from '@klutch/kube';

export async function greet(signal: AbortSignal): Promise<void> {
  const client = connect(await loadKubeconfig(), { userAgent: 'greeter/1.0' });
  const maps = client.resource(ConfigMaps);
  const informer = startInformer({ client: maps, labelSelector: 'greet' }, signal);
  const controller = runController({
    name: 'greeter',
    sources: [informerSource(informer)],
    signal,
    reconcile: async (key) => {
      const map = informer.cache.getByKey(key);
      if (!map || map.data?.['greeting']) return;
      informer.learn(await maps.patch(refOf(key), { type: 'merge', patch: { data: { greeting: 'hello' } } }));
    },
  });
  await controller.stopped;
  await client.close();
}
