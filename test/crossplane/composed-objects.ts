import type { PlaneAccess } from '@klutch/kit';
import { composedCrds } from './composed-crds.ts';
import { send } from './send.ts';

/** What was composed for the claims of a namespace, by claim and template. */
export async function composedObjects(
  plane: PlaneAccess,
  namespace: string,
): Promise<ReadonlyMap<string, Readonly<Record<string, object>>>> {
  const selector = encodeURIComponent(`crossplane.io/claim-namespace=${namespace}`);
  const objects = new Map<string, Record<string, object>>();
  for (const { spec } of composedCrds) {
    const path = `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}?labelSelector=${selector}`;
    for (const object of (await send<{ readonly items: readonly Composed[] }>(plane, 'GET', path)).items) {
      const { labels, annotations } = object.metadata;
      const claim = labels['crossplane.io/claim-name'] ?? '';
      const template = annotations['crossplane.io/composition-resource-name'] ?? '';
      objects.set(claim, { ...objects.get(claim), [template]: object });
    }
  }
  return objects;
}

interface Composed {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
}
