import { annotations } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import type { Tenant } from '../policy/tenant.ts';

/** The tenant of a cluster namespace, as templates know it; undefined when it is nobody's in particular. */
export function tenantOf({ metadata }: Namespace): Pick<Tenant, 'name'> | undefined {
  const name = metadata.annotations?.[annotations.tenantName];
  return name === undefined ? undefined : { name };
}
