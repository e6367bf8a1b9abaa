import { annotations, kubeconfigKey } from '@klutch/api';
import { type KubeClient, type KubeObject, Namespaces, type ResourceClient, type Secret, Secrets } from '@klutch/kube';

/** Addresses that have changed: old origin to new one. */
export type NewOrigins = ReadonlyMap<string, string>;

/**
 * Brings what both clusters have written down about each other up to date after addresses have changed: kubeconfigs that
 * lead to the control plane, and who the tenants are, which depends on the address of the issuer.
 */
export async function relocate(clusters: readonly KubeClient[], origins: NewOrigins): Promise<void> {
  if (origins.size === 0) return;
  for (const client of clusters) {
    for (const type of [Namespaces, Secrets]) await relocateAll(client.resource<KubeObject>(type), origins);
  }
}

async function relocateAll(objects: ResourceClient<KubeObject>, origins: NewOrigins): Promise<void> {
  for (const object of (await objects.list()).items) {
    const patch = patchFor(object, origins);
    const { namespace, name = '' } = object.metadata;
    if (patch) await objects.patch({ namespace, name }, { type: 'merge', patch });
  }
}

const addressed: readonly string[] = [annotations.tenantIdentity, annotations.boundBy, annotations.backendUrl];

/** Pure: what has to change in an object; undefined when nothing has. */
export function patchFor(object: KubeObject & Partial<Pick<Secret, 'data'>>, origins: NewOrigins): object | undefined {
  const changed = Object.entries(object.metadata.annotations ?? {})
    .filter(([key]) => addressed.includes(key))
    .map(([key, value]) => [key, moved(value, origins), value] as const)
    .filter(([, now, before]) => now !== before);
  const kubeconfig = Buffer.from(object.data?.[kubeconfigKey] ?? '', 'base64').toString();
  const reachable = moved(kubeconfig, origins);
  if (changed.length === 0 && reachable === kubeconfig) return undefined;
  return {
    ...(changed.length === 0
      ? {}
      : { metadata: { annotations: Object.fromEntries(changed.map(([key, now]) => [key, now])) } }),
    ...(reachable === kubeconfig ? {} : { data: { [kubeconfigKey]: Buffer.from(reachable).toString('base64') } }),
  };
}

/** All at once, since a new address may be another's old one. */
function moved(text: string, origins: NewOrigins): string {
  return text.replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, (origin) => origins.get(origin) ?? origin);
}
