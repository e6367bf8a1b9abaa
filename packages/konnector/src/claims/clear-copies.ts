import { annotations } from '@klutch/api';
import { isKubeError, type KubeClient, type ListOptions, type ObjectRef, type ResourceType } from '@klutch/kube';
import type { Link } from '../link/link.ts';
import type { ClaimedType } from '../link/supervise.ts';
import type { NamespaceMap } from '../namespaces/namespace-map.ts';
import type { Side as ClusterName } from '../process/metrics.ts';
import { forEachObject } from '../unbind/objects-of.ts';
import { type Owner, roleOf } from './copy-marks.ts';
import { providerCopies } from './watch-plan.ts';

export interface ClearCopiesOptions {
  readonly link: Link;
  readonly namespaces: NamespaceMap;
  /** Asked before every deletion: whether the copies may still go. */
  readonly mayGo: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Deletes the copies of one type that this link made, on both sides. Only what carries the marks of this link, at the
 * place they name, is a copy of its own; originals and copies of others stay, and so do those on the control plane that the
 * app cluster does not remember: it was set back, and its bindings with it. Nothing but metadata is read. Returns how many
 * were deleted.
 */
export async function clearCopies(
  { group, version, resource }: ClaimedType,
  { link, namespaces, mayGo, signal }: ClearCopiesOptions,
): Promise<number> {
  // The kind is needed only by those who create objects.
  const type: ResourceType = { group, version, plural: resource, kind: '', namespaced: true };
  const sources = { Provider: link.tenant.uid, Consumer: link.appClusterId };
  let deleted = 0;
  await clear(link.app.client, 'app', 'Consumer', providerCopies);
  for (const [, namespace] of namespaces.entries()) {
    await clear(link.controlPlane.client, 'control-plane', 'Provider', { namespace });
  }
  return deleted;

  async function clear(cluster: KubeClient, name: ClusterName, side: Owner, selection: ListOptions): Promise<void> {
    const client = cluster.resource(type);
    await forEachObject(
      client,
      async (object) => {
        const isOwn = roleOf(object, side, { sources, neverTravels: false }) === 'copy';
        const stamp = object.metadata.annotations?.[annotations.stamp];
        if (side === 'Provider' && link.appLine.judge(stamp) === 'elsewhere' && !link.orphansMayGo()) return;
        if (!isOwn || object.metadata.deletionTimestamp !== undefined || !mayGo()) return;
        const { name: objectName = '', namespace, uid, resourceVersion } = object.metadata;
        const ref: ObjectRef = { name: objectName, namespace };
        try {
          await client.delete(ref, { preconditions: { uid, resourceVersion }, propagation: 'Background', signal });
        } catch (error) {
          if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
        }
        deleted += 1;
        link.metrics.wrote(name, 'claims', 'delete');
      },
      { ...selection, signal },
    );
  }
}
