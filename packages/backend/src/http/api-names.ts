import { KlutchError } from '@klutch/api';
import type { RequestedApi } from '../policy/entitled-offers.ts';

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const resourcePattern = new RegExp(`^${label}$`);
const groupPattern = new RegExp(`^(${label}(\\.${label}){0,20})?$`);

/** Reads `<resource>.<group>`, or `<resource>` of the core group. Throws `KLUTCH_REQUEST_INVALID`. */
export function parseApiName(name: string, parameter: string): RequestedApi {
  const dot = name.indexOf('.');
  const resource = dot < 0 ? name : name.slice(0, dot);
  return checkedApi({ resource, group: dot < 0 ? '' : name.slice(dot + 1) }, parameter);
}

/** The API, if its names can be those of one. Throws `KLUTCH_REQUEST_INVALID`. */
export function checkedApi({ group, resource }: RequestedApi, parameter: string): RequestedApi {
  if (resource.length < 64 && group.length < 254 && resourcePattern.test(resource) && groupPattern.test(group)) {
    return { group, resource };
  }
  throw new KlutchError('KLUTCH_REQUEST_INVALID', `${parameter}: not the name of an API, such as widgets.example.org.`);
}
