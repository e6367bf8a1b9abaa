import { annotations, group } from '@klutch/api';
import type { Lease } from '@klutch/kube';

/** Highest versions that a cluster has told, by resource. */
export type Versions = ReadonlyMap<string, string>;

/**
 * What the holder of a lease knew of control planes, by the UID of the tenant. The lease is renewed every few seconds
 * anyway, so that it can remember at no further cost what a konnector saw last, whatever becomes of the konnector.
 */
export function seenVersionsOf({ metadata }: Lease): ReadonlyMap<string, Versions> {
  const found = new Map<string, Map<string, string>>();
  for (const entry of (metadata.annotations?.[annotations.seenVersions] ?? '').split(';')) {
    const [tenant, ...versions] = entry.split(',');
    if (!tenant) continue;
    const pairs = versions.flatMap((one) => {
      const [, resource, version] = /^([^=]+)=(\d+)$/.exec(one) ?? [];
      return resource && version ? [[resource, version] as const] : [];
    });
    found.set(tenant, new Map(pairs));
  }
  return found;
}

/** The lease with these versions written down; as it was when they are too many. */
export function withSeenVersions(lease: Lease, seen: ReadonlyMap<string, Versions>): Lease {
  const entries = [...seen].map(([tenant, versions]) =>
    [
      tenant,
      ...[...versions].filter(([resource]) => isTelling(resource)).map(([one, version]) => `${one}=${version}`),
    ].join(','),
  );
  const text = entries.sort().join(';');
  if (text === '' || text.length > maxLength) return lease;
  const { metadata } = lease;
  return {
    ...lease,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.seenVersions]: text } },
  };
}

/** Half of what all annotations of an object may take together. */
const maxLength = 128 * 1024;

/** Exports, tenants and credentials tell enough, and there are few of these types; of bound APIs there may be many. */
function isTelling(resource: string): boolean {
  return resource.startsWith(`${group}/`) || resource.startsWith('v1/');
}
