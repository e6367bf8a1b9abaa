import { keyOf } from '../../registry/served-resource.ts';
import type { StoredEvent } from '../../storage/types.ts';
import { ifPossible, ifThere } from '../caller/expected-failure.ts';
import { controllerActor, createSystemCaller, placeOfKey } from '../caller/system-caller.ts';
import { type ControllerContext, controllerLoop, onStop, type RunningController } from '../context.ts';
import { NAMESPACE_BUCKET } from '../namespaces/namespace.ts';
import { ROOT_CA_NAME, wantedRootCa } from './root-ca.ts';

const DEFAULT_ACCOUNT = 'default';

/** Sees to it that every namespace has its default service account and the certificate authority of the server. */
export function startNamespaceDefaults(context: ControllerContext, caCertificate: string): RunningController {
  const { world } = context;
  const { store, registry } = world;
  const accounts = createSystemCaller(world, controllerActor('service-account-controller'));
  const publisher = createSystemCaller(world, controllerActor('root-ca-cert-publisher'));
  const loop = controllerLoop(context, 'namespace-defaults', handle);

  async function handle(namespace: string): Promise<void> {
    const object = store.get(NAMESPACE_BUCKET, keyOf(undefined, namespace))?.object();
    if (!object || object.metadata.deletionTimestamp !== undefined) return;
    await Promise.all([ensureAccount(namespace), ensureRootCa(namespace)]);
  }

  async function ensureAccount(namespace: string): Promise<void> {
    const type = registry.require('', 'v1', 'serviceaccounts');
    if (store.get(type.bucket, keyOf(namespace, DEFAULT_ACCOUNT))) return;
    const metadata = { name: DEFAULT_ACCOUNT, namespace };
    await ifPossible(accounts.create(type, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }));
  }

  async function ensureRootCa(namespace: string): Promise<void> {
    const type = registry.require('', 'v1', 'configmaps');
    const found = store.get(type.bucket, keyOf(namespace, ROOT_CA_NAME))?.object();
    const wanted = wantedRootCa(found, namespace, caCertificate);
    if (!wanted) return;
    if (found) await ifThere(publisher.replace(type, wanted));
    else await ifPossible(publisher.create(type, wanted));
  }

  const changesOf = (resource: string, name: string) => {
    const { bucket } = registry.require('', 'v1', resource);
    return store.watch(bucket, store.revision, ({ entry: { key } }) => {
      const place = placeOfKey(key);
      if (place.name === name && place.namespace !== undefined) loop.add(place.namespace);
    });
  };
  const onNamespace = ({ entry: { key } }: Pick<StoredEvent, 'entry'>) => loop.add(placeOfKey(key).name);

  onStop(context, changesOf('serviceaccounts', DEFAULT_ACCOUNT));
  onStop(context, changesOf('configmaps', ROOT_CA_NAME));
  onStop(context, store.watch(NAMESPACE_BUCKET, store.revision, onNamespace));
  for (const entry of store.scan(NAMESPACE_BUCKET)) onNamespace({ entry });
  return { loop };
}
