import {
  APIServiceBindings,
  APIServiceExports,
  APIServiceNamespaces,
  ClusterBindings,
  CustomResourceDefinitions,
} from '@klutch/api';
import { type KubeClient, type KubeObject, Namespaces, type ResourceType, Secrets } from '@klutch/kube';
import { serviceNamespace } from './actions.ts';
import type { Stage } from './stage.ts';

/** UIDs of everything that a konnector made or works with, by where it is: what must survive a change of konnectors. */
export async function inventory(stage: Stage): Promise<Readonly<Record<string, string>>> {
  const { app, controlPlane } = stage.clusters;
  const { api, appNamespace, side } = stage;
  const service = serviceNamespace(stage);
  const found = await Promise.all([
    all('app', app.admin, api.type, appNamespace),
    all('app', app.admin, Secrets, appNamespace),
    all('app', app.admin, Secrets, stage.app.bindingNamespace),
    all('app', app.admin, APIServiceBindings, stage.app.bindingNamespace),
    one('app', app.admin, CustomResourceDefinitions, api.name),
    one('app', app.admin, Namespaces, appNamespace),
    all('control-plane', controlPlane.admin, api.type, service),
    all('control-plane', controlPlane.admin, Secrets, service),
    all('control-plane', controlPlane.admin, APIServiceNamespaces, side.clusterNamespace),
    all('control-plane', controlPlane.admin, APIServiceExports, side.clusterNamespace),
    all('control-plane', controlPlane.admin, ClusterBindings, side.clusterNamespace),
    one('control-plane', controlPlane.admin, Namespaces, service),
  ]);
  return Object.fromEntries(found.flat());
}

type Entry = readonly [string, string];

async function all<T extends KubeObject>(
  where: string,
  client: KubeClient,
  type: ResourceType<T>,
  namespace: string,
): Promise<readonly Entry[]> {
  const { items } = await client.resource(type).list({ namespace });
  return items.map(({ metadata }) => [`${where} ${type.plural} ${metadata.name}`, metadata.uid ?? ''] as const);
}

async function one<T extends KubeObject>(
  where: string,
  client: KubeClient,
  type: ResourceType<T>,
  name: string,
): Promise<readonly Entry[]> {
  const object = await client.resource(type).find({ name });
  return object ? [[`${where} ${type.plural} ${name}`, object.metadata.uid ?? '']] : [];
}
