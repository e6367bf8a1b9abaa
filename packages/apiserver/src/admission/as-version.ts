import type { ApiObject } from '../objects/api-object.ts';
import { apiVersionOf, type ServedResource } from '../registry/served-resource.ts';
import type { AdmissionAttributes } from './admission-attributes.ts';

/** An object of a request in the version of its resource that a policy names. What subresources exchange has one version only. */
export function asVersion(object: object, { resource, kind }: AdmissionAttributes, matched: ServedResource): object {
  if (matched === resource || kind.kind !== resource.kind) return object;
  const copy = structuredClone(object) as ApiObject;
  const stored = resource.conversion?.toStored(copy) ?? copy;
  const converted = matched.conversion?.fromStored(stored) ?? stored;
  return { ...converted, apiVersion: apiVersionOf(matched), kind: matched.kind };
}
