import type { World } from '../../operations/call.ts';
import { keyOf } from '../../registry/served-resource.ts';
import { API_SERVER, createSystemCaller } from '../caller/system-caller.ts';
import { NAMESPACE_BUCKET, namespaceType } from './namespace.ts';

/** Namespaces that every cluster has. */
export const SYSTEM_NAMESPACES: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** Creates those of the system's namespaces that are missing. */
export async function ensureSystemNamespaces(world: World): Promise<void> {
  const caller = createSystemCaller(world, API_SERVER);
  const missing = SYSTEM_NAMESPACES.filter((name) => !world.store.get(NAMESPACE_BUCKET, keyOf(undefined, name)));
  const type = namespaceType(world.registry);
  await Promise.all(
    missing.map((name) => caller.create(type, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  );
}
