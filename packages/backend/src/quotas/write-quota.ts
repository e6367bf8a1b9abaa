import type { KubeClient } from '@klutch/kube';
import { excusing } from '../objects/excusing.ts';
import { type ResourceQuota, ResourceQuotas } from './resource-quota.ts';

export interface QuotaWrite {
  readonly namespace: string;
  readonly name: string;
  /** The quota as a cache has it. */
  readonly seen: ResourceQuota | undefined;
  /** Limits by name; null removes one. */
  readonly hard: Readonly<Record<string, string | null>>;
}

/** Creates a quota or changes its limits. False when the cache is behind, or the namespace gone. */
export async function writeQuota(client: KubeClient, write: QuotaWrite, signal: AbortSignal): Promise<boolean> {
  const codes = ['KUBE_CONFLICT', 'KUBE_ALREADY_EXISTS', 'KUBE_NOT_FOUND'] as const;
  const written = await excusing(
    write.seen ? change(client, write, write.seen, signal) : create(client, write, signal),
    ...codes,
  );
  return written !== undefined;
}

function change(
  client: KubeClient,
  { namespace, name, hard }: QuotaWrite,
  { metadata: { uid, resourceVersion } }: ResourceQuota,
  signal: AbortSignal,
): Promise<ResourceQuota> {
  const patch = { metadata: { uid, resourceVersion }, spec: { hard } };
  return client.resource(ResourceQuotas).patch({ name, namespace }, { type: 'merge', patch }, { signal });
}

function create(
  client: KubeClient,
  { namespace, name, hard }: QuotaWrite,
  signal: AbortSignal,
): Promise<ResourceQuota> {
  const limits = Object.entries(hard).flatMap(([counted, limit]) =>
    limit === null ? [] : [[counted, limit] as const],
  );
  const metadata = { name, namespace };
  const spec = { hard: Object.fromEntries(limits) };
  return client
    .resource(ResourceQuotas)
    .create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec }, { signal });
}
