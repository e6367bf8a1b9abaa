import type { GroupResource } from '../kinds/group-resource.ts';

/**
 * `<resource>.<group>`: the name that an API has as CRD, APIServiceExport and APIServiceBinding alike, and with it the
 * only link between them. APIs of the core group have no CRD; for them it is `<resource>`.
 */
export function apiName(api: GroupResource): string {
  return api.group ? `${api.resource}.${api.group}` : api.resource;
}
