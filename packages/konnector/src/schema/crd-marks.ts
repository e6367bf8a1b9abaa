import { annotations, type APIServiceBinding, type APIServiceExport } from '@klutch/api';
import { exportedIsolation } from './bound-api-of.ts';

/** What happens to the CRD and its objects when the binding goes. */
export type UnbindPolicy = 'Keep' | 'Remove' | 'Delete';

/** What an annotation says of that: `Keep` when there is none, undefined when it makes no sense. */
export function unbindPolicyOf(said: string | undefined): UnbindPolicy | undefined {
  return (['Keep', 'Remove', 'Delete'] as const).find((policy) => policy === (said ?? 'Keep'));
}

/**
 * The annotations that a CRD made for a binding carries, so that it tells all about itself when binding, export or
 * control plane are gone. Those that are undefined must not be there.
 */
export function crdMarks(
  { binding, tenant, home }: { readonly binding: APIServiceBinding; readonly tenant: string; readonly home: string },
  apiExport: APIServiceExport,
): Readonly<Record<string, string | undefined>> {
  const onUnbind = binding.metadata.annotations?.[annotations.onUnbind];
  return {
    [annotations.tenant]: tenant,
    [annotations.boundIn]: `${home}/${binding.metadata.namespace ?? ''}`,
    [annotations.isolation]: apiExport.spec.scope === 'Cluster' ? exportedIsolation(apiExport) : undefined,
    [annotations.onUnbind]: unbindPolicyOf(onUnbind) && onUnbind,
    [annotations.serviceDescription]: apiExport.metadata.annotations?.[annotations.serviceDescription],
    [annotations.released]: undefined,
  };
}
